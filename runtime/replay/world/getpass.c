/* getpass(), as in glibc where there is no terminal: it asks on standard error and reads standard input. The C library
 * of the machine consists of the same code (runtime/libc/getpass.c). */
#include <stdio.h>
#include <string.h>

char *getpass(const char *);

REPLACEABLE char *getpass(const char *prompt) {
  static char *line;
  static size_t size;
  flockfile(stdin);
  fprintf(stderr, "%s", prompt);
  fflush(stderr);
  ssize_t length = getline(&line, &size, stdin);
  if (line != NULL) {
    if (length < 0) line[0] = 0;
    else if (line[length - 1] == '\n') line[length - 1] = 0;
  }
  funlockfile(stdin);
  return line;
}
