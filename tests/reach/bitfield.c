// INPUT -3,9
#include "target.h"
struct b {
  int a : 3;
  unsigned c : 5;
  int d : 7;
  unsigned long e : 40;
};
int main(void) {
  struct b b = {0};
  b.a = in();
  b.c = __VERIFIER_nondet_uint();
  b.d = b.a;
  b.e = (unsigned long)-1;
  if (b.a == -3 && b.c == 9 && b.d == -3 && b.e == 0xffffffffffUL)
    target();
  return 0;
}
