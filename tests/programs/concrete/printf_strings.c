// String conversions.
#include <stdio.h>

int main(void) {
  const char unterminated[3] = {'a', 'b', 'c'};
  printf("[%s] [%10s] [%-10s] [%.2s] [%10.2s]\n", "text", "text", "text", "text", "text");
  printf("[%.*s] [%*s] [%c%c%c]\n", 3, unterminated, 6, "pad", 'x', 0x41, '\t');
  printf("[%5c] [%-5c]\n", 'r', 'l');
  printf("%s%s%s\n", "", "empty around", "");
  int n = printf("counted\n");
  printf("%d\n", n);
  fputs("no newline", stdout);
  puts("");
  putchar('p');
  putc('q', stdout);
  fputc('\n', stdout);
  fwrite("raw\0bytes\n", 1, 10, stdout);
  return n;
}
