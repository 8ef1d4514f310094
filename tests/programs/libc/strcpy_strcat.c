// Strings are copied and joined.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char name[3], path[16];
  klee_make_symbolic(name, sizeof name, "name");
  name[2] = 0;
  strcpy(path, "/a/");
  strcat(path, name);
  strncat(path, ".cpp", 2);
  klee_assert(strlen(path) == strlen(name) + 5);
  return strcmp(path, "/a/b.c") == 0;
}
