// Standard input through the system call.
//! args: --sym-stdin 4
//! exits: 0 1
//! paths[O0]: 2
#include <unistd.h>

int main(void) {
  unsigned char b[8];
  if (read(0, b, sizeof b) != 4)
    return 2;
  if (read(0, b + 4, 4) != 0)
    return 3;
  unsigned v = (unsigned)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
  if (v == 0x53454341)
    return 1;
  return 0;
}
