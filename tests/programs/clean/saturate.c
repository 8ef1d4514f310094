// Saturating arithmetic written with branches, which an optimiser turns into intrinsics.
//! exits: 0 1
#include <assert.h>
#include <klee/klee.h>

static unsigned char add_sat(unsigned char a, unsigned char b) {
  unsigned char r = a + b;
  return r < a ? 255 : r;
}
static unsigned sub_sat(unsigned a, unsigned b) { return a > b ? a - b : 0; }

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned char s = add_sat(a, b);
  assert(s >= a && s >= b);
  unsigned d = sub_sat(a, b);
  assert(d <= a);
  assert(a <= b ? d == 0 : d + b == a);
  if (s == 255)
    return 1;
  return 0;
}
