// What the system tells a program at its start, a password without a terminal, and braces in patterns of names.
//! args: --sym-stdin 2
//! exits: 0
#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int main(void) {
  if (getauxval(AT_PAGESZ) != 4096 || getauxval(AT_UID) != 1000 || getauxval(AT_SECURE) != 0) return 1;
  char *password = getpass("Password: ");
  if (!password || strlen(password) > 2) return 2;
  fclose(fopen("a.c", "w"));
  fclose(fopen("b.h", "w"));
  glob_t found;
  if (glob("{*.h,a.?,none}", GLOB_BRACE, 0, &found) || found.gl_pathc != 2) return 3;
  if (strcmp(found.gl_pathv[0], "b.h") || strcmp(found.gl_pathv[1], "a.c")) return 4;
  globfree(&found);
  return glob("{x,y}", GLOB_BRACE, 0, &found) == GLOB_NOMATCH ? 0 : 5;
}
