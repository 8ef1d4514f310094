// Where a store goes decides whether an assertion holds.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int cells[2] = {0, 0};
  int index = 1;
  int shade = 0;
  if (__VERIFIER_nondet_int())
    index = FIRST;
  if (__VERIFIER_nondet_int())
    shade = 1;
  cells[index] = 1;
  assert(cells[0] == 0);
  return shade;
}
