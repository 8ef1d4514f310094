// Operations on some bits of a word keep apart which were never written; counting bits and wide integers need all.
//! args: --check uninit
//! levels: O0
//! exits: 0
#include <klee/klee.h>
#include <string.h>

volatile int seen;

int main(void) {
  unsigned word;
  ((unsigned char *)&word)[1] = klee_int("x");
  switch (klee_int("operation")) {
  case 0:
    if ((word >> 8 & 0xff) == 7)
      seen++;
    if ((word & 0xff00) + 0x100 == 0x100)
      seen++;
    if ((word | 0xffff00ff) == 0xffff07ff)
      seen++;
    if ((unsigned char)(__builtin_bswap32(word) >> 16) == 7)
      seen++;
    break;
  case 1:
    if (word << 16 == 0) //~ BUG uninitialised
      seen++;
    break;
  case 2:
    if (__builtin_popcount(word) == 3) //~ BUG uninitialised
      seen++;
    break;
  case 3:
    if ((int)word < 0) //~ BUG uninitialised
      seen++;
    break;
  case 4: {
    unsigned __int128 wide = (unsigned __int128)word << 64;
    if (wide >> 64 == 3) //~ BUG uninitialised
      seen++;
    break;
  }
  case 5:
    if ((long)(int)word >> 40 == 0) //~ BUG uninitialised
      seen++;
    break;
  }
  return 0;
}
