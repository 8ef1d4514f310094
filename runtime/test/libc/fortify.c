/* The functions behind _FORTIFY_SOURCE; the last one refuses. */
// CFLAGS: -O2 -D_FORTIFY_SOURCE=2
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char buffer[16], *volatile source = argv[1];
  volatile size_t length = strlen(source);
  memcpy(buffer, source, length + 1);
  printf("%s %d\n", buffer, argc);
  memmove(buffer + 1, buffer, length);
  memset(buffer, 'm', length);
  strcpy(buffer, source);
  strcat(buffer, source);
  strncat(buffer, source, 1);
  puts(buffer);
  strncpy(buffer, source, length);
  stpcpy(buffer, source);
  mempcpy(buffer, source, length);
  fprintf(stdout, "%s %d\n", buffer, sprintf(buffer, "%s!", source));
  printf("%d %s\n", snprintf(buffer, sizeof buffer, "%s %s %s", source, source, source), buffer);
  printf("%s", fgets(buffer, sizeof buffer, stdin));
  printf("%zu\n", fread(buffer, 1, length, stdin));
  fflush(stdout);
  sprintf(buffer, "%s, a string that is too long", source);
  return 0;
}
