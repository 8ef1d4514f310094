// The texts of errors and signals, and the parts of paths.
#define _GNU_SOURCE
#include <libgen.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const char *const paths[] = {"", "/", "//", "///", "a", "a/", "/a", "//a", "a/b", "a//b/", "/a/b", "..", "///a//"};
  for (int i = -1; i < 140; i++)
    puts(strerror(i));
  for (int i = 0; i < 70; i++)
    puts(strsignal(i));
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
    char path[16];
    strcpy(path, paths[i]);
    puts(dirname(path));
  }
  return 0;
}
