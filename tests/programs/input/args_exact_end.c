// Whoever looks at an argument up to its end, and no further, is right.
//! args: --sym-args 0 1 3
//! exits: 0 1 2 3
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2) return 0;
  char copy[4];
  strcpy(copy, argv[1]);
  return (int)strlen(copy);
}
