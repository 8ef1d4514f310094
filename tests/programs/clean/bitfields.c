// Bitfields of odd widths, signed and unsigned, next to each other.
//! exits: 0 1 2
#include <klee/klee.h>

struct packet {
  unsigned version : 3;
  signed delta : 5;
  unsigned length : 11;
  unsigned long wide : 40;
  unsigned flag : 1;
};

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile struct packet p = {0};
  p.version = x;
  p.delta = (int)(x >> 3);
  p.length = x >> 8;
  p.wide = (unsigned long)x << 10;
  p.flag = 1;
  if (p.version != (x & 7) || p.length != (x >> 8 & 0x7ff) || p.flag != 1)
    return 3;
  if (p.wide != ((unsigned long)x << 10 & 0xffffffffff))
    return 4;
  if (p.delta == -16)
    return 1;
  if (p.delta > 14)
    return 2;
  return 0;
}
