// A walk over an array that ends at a length or at a mark, whichever comes first.
//! exits: 0
//! complete: yes
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned char data[4];
  for (int i = 0; i < 4; i++)
    data[i] = __VERIFIER_nondet_uchar();
  unsigned length = __VERIFIER_nondet_uchar(), at = 0, odd = 0;
  __VERIFIER_assume(length <= 4);
  while (at < length && data[at] != 0) {
    if (data[at] & 1)
      odd++;
    at++;
  }
  assert(odd <= at && at <= length);
  return 0;
}
