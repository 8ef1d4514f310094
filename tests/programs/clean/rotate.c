// Rotations, which become funnel shifts.
//! exits-some: 0 1
#include <assert.h>
#include <klee/klee.h>

static unsigned rotl(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static unsigned char rotr8(unsigned char x, unsigned n) { return (unsigned char)(x >> (n & 7) | x << (-n & 7)); }

int main(void) {
  unsigned x;
  unsigned char n;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&n, sizeof n, "n");
  assert(rotl(rotl(x, 8), 24) == x);
  assert(__builtin_rotateleft32(x, 5) == __builtin_rotateright32(x, 27));
  assert(rotr8((unsigned char)x, 4) == (unsigned char)(x << 4 | (x & 0xff) >> 4));
  return rotl(1, n) == 0x80000000;
}
