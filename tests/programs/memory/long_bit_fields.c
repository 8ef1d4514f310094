// A run of bit-fields that is accessed as one integer of more than 128 bits.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

struct __attribute__((packed)) bits {
  unsigned a : 3;
  unsigned long b : 60;
  long c : 50;
  unsigned d : 17;
  unsigned long e : 40;
};

__attribute__((noinline)) void set(struct bits *p, unsigned long x) {
  p->b = x;
  p->c = (long)x >> 3;
  p->d = x & 0x1ffff;
  p->e = x ^ 5;
}

int main(void) {
  struct bits p;
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  memset(&p, 0, sizeof p);
  set(&p, x);
  if (p.a != 0 || p.b != (x & (1ul << 60) - 1) || p.d != (x & 0x1ffff))
    return 2;
  if (p.e == 7)
    return 1;
  return 0;
}
