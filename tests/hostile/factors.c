// The factors of a product of two primes, each just below 2^62.
#include <klee/klee.h>
int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned __int128 product = (unsigned __int128)a * b;
  if (a > 1 && b > a && (unsigned long)(product >> 64) == 1152921504606846932ul && (unsigned long)product == 9223372036854782477ul) return 1;
  return 0;
}
