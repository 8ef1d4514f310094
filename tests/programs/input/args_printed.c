// An argument is printed in several ways before anything is known of its length.
//! args: --sym-args 1 1 2
//! exits: 0 1 2
//! paths[O0]: 3
//! complete: yes
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  const char *text = argv[1];
  printf("<%s>\n", text);
  fprintf(stderr, "%5s|%-4s|%.1s\n", text, text, text);
  if (text[0] == 0)
    return 0;
  if (text[1] == 0)
    return 1;
  return 2;
}
