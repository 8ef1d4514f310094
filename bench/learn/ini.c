// Reads an INI file from standard input and prints what it defines: the INI parser of `make bench-learn`.

#include <stdio.h>

#include "ini.h"

static int print(void *user, const char *section, const char *name, const char *value) {
  (void)user;
  printf("%s.%s=%s\n", section, name, value);
  return 1;
}

int main(void) { return ini_parse_file(stdin, print, NULL) != 0; }
