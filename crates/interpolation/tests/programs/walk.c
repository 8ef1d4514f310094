// A walk over an array with a bound from the input; the sum is bounded only because of an earlier assumption.
#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) {
  int step = __VERIFIER_nondet_int();
  __VERIFIER_assume(step >= 0 && step <= STEP);
  int place[8] = {0};
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    if (__VERIFIER_nondet_int() == 3) {
      place[sum & 7]++;
      sum += step;
    } else {
      place[i] = 1;
    }
  }
  assert(sum <= 16);
  return place[0];
}
