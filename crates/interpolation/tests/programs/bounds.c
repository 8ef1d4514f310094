// A bound holds because of a condition on the way, and only there.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int value = __VERIFIER_nondet_int();
  int shade = 0;
  if (value < 0 || value > 9)
    value = OTHERWISE;
  if (__VERIFIER_nondet_int())
    shade = 1;
  assert(value <= 9);
  return shade;
}
