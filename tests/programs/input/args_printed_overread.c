// An argument is printed from its second character on, which an empty one does not have.
//! args: --sym-args 1 1 2
//! exits: 1 2
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  const char *rest = argv[1] + 1;
  printf("%s\n", rest); //~ BUG out-of-bounds-read
  if (*rest == 0)
    return 1;
  return 2;
}
