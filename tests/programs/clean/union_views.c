// The same bytes seen as numbers of different sizes.
//! exits: 0 1 2
#include <klee/klee.h>

union view {
  unsigned char bytes[8];
  unsigned short halves[4];
  unsigned words[2];
  unsigned long all;
};

int main(void) {
  union view v;
  klee_make_symbolic(&v, sizeof v, "v");
  if (v.all == 0x0102030405060708) {
    if (v.bytes[0] != 8 || v.halves[1] != 0x0506 || v.words[1] != 0x01020304)
      return 3;
    return 1;
  }
  if (v.words[0] == 0xffffffff && v.halves[3] == 7)
    return v.bytes[3] == 0xff && v.bytes[7] == 0 ? 2 : 4;
  return 0;
}
