// An argument becomes part of a text that the program looks at; its length decides on the path.
//! args: --sym-args 1 1 3
//! exits: 0 1 2 3
//! paths[O0]: 4
//! complete: yes
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  char padded[16], cut[4];
  int length = snprintf(cut, sizeof cut, "%s!", argv[1]);
  sprintf(padded, "%4s", argv[1]);
  if (strlen(padded) != 4)
    return 8;
  if ((size_t)length != strlen(argv[1]) + 1)
    return 7;
  return length - 1;
}
