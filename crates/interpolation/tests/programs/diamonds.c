// Each of N conditions counts or not, so there are 2^N paths; the count is at most N.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int count = 0;
  for (int i = 0; i < N; i++)
    if (__VERIFIER_nondet_int() > 0)
      count++;
  assert(count <= LIMIT);
  return 0;
}
