// A binary header on standard input.
//! args: --sym-stdin 8
//! exits: 0 1 2
#include <stdio.h>

struct header {
  char magic[2];
  unsigned short version;
  unsigned length;
};

int main(void) {
  struct header h;
  if (fread(&h, sizeof h, 1, stdin) != 1)
    return 3;
  if (h.magic[0] != 'S' || h.magic[1] != 'C')
    return 0;
  if (h.version == 2 && h.length > 1000000)
    return 2;
  return 1;
}
