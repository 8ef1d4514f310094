// All the ways to write to standard output, with and without buffering.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  vprintf(f, ap);
  va_end(ap);
}

int main(void) {
  setvbuf(stdout, NULL, _IOFBF, 4096);
  say("%s %d\n", "say", 1);
  fprintf(stdout, "%05.1f|%-6s|%+d\n", 2.25, "left", 5);
  fflush(stdout);
  if (write(1, "direct\n", 7) != 7)
    return 1;
  for (int i = 0; i < 300; i++)
    printf("%d%c", i, i % 20 == 19 ? '\n' : ' ');
  char line[3000];
  memset(line, 'x', sizeof line);
  fwrite(line, 1, sizeof line, stdout);
  putchar('\n');
  putchar_unlocked('u');
  puts("");
  dprintf(1, "");
  int n = printf("%s", "");
  printf("%d %d %d\n", n, ferror(stdout), feof(stdout));
  fputs("at exit", stdout);
  return 42;
}
