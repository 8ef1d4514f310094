// Numbered arguments of printf, in any order, several times, and with widths from arguments.
#include <stdio.h>

int main(void) {
  char text[64];
  printf("%2$s %1$s\n", "world", "hello");
  printf("%1$d %1$x %1$o %2$c\n", 255, '!');
  printf("%3$*1$.*2$f|\n", 10, 3, 3.14159);
  printf("%2$-8s|%1$5d|%3$Lg\n", 42, "left", 1.5L);
  printf("%4$g %2$d %3$ld %1$s %5$e\n", "five", 2, 3L, 4.5, 5e10);
  printf("%10$d %9$d %8$d %7$d %6$d %5$d %4$d %3$d %2$d %1$d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  snprintf(text, sizeof text, "%2$s/%1$s", "file", "folder");
  puts(text);
  return 0;
}
