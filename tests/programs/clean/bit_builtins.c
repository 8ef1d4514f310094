// Counting bits, leading and trailing zeros, parity and byte swaps against loops.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned v = (unsigned)x << 4 | 0x80000;
  int ones = 0;
  for (int i = 0; i < 32; i++)
    ones += v >> i & 1;
  assert(__builtin_popcount(v) == ones);
  assert(__builtin_parity(v) == (ones & 1));
  assert(__builtin_clz(v) == 12);
  int low = __builtin_ctz(v);
  assert(v >> low & 1);
  assert((v & ((1u << low) - 1)) == 0);
  assert(__builtin_ffs((int)v) == low + 1);
  assert(__builtin_bswap32(v) == (v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24));
  assert(__builtin_bswap64(v) >> 32 == __builtin_bswap32(v));
  assert(__builtin_bitreverse8(__builtin_bitreverse8(x)) == x);
  return 0;
}
