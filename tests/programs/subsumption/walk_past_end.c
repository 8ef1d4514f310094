// A walk over an array that ends at a mark only: it may not be there.
//! exits: 0
unsigned char __VERIFIER_nondet_uchar(void);

unsigned char data[4];

__attribute__((noinline)) unsigned walk(void) {
  volatile unsigned odd = 0;
  for (unsigned at = 0; at < 5; at++) {
    if (data[at] == 0) //~ BUG out-of-bounds-read
      break;
    if (data[at] & 1)
      odd++;
  }
  return odd;
}

int main(void) {
  for (int i = 0; i < 4; i++)
    data[i] = __VERIFIER_nondet_uchar();
  return walk() > 4;
}
