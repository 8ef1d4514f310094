// Nested look-ups through a table, as in ciphers.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

static const unsigned char box[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned char low = box[x & 15], high = box[x >> 4];
  unsigned char y = (unsigned char)(box[low ^ high] << 4 | box[(low + high) & 15]);
  if (y == 0xc4)
    return 1;
  return 0;
}
