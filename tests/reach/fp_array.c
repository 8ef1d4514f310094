// INPUT 2,1,0
#include "target.h"
static int acc;
static void add(int x) {
  acc += x;
}
static void mul(int x) {
  acc *= x;
}
static void sub(int x) {
  acc -= x;
}
static void (*ops[])(int) = {add, mul, sub};
int main(void) {
  acc = 1;
  for (int i = 0; i < 3; i++) {
    unsigned k = __VERIFIER_nondet_uint();
    if (k > 2)
      return 0;
    ops[k](i + 3);
  }
  if (acc == -3)
    target();
  return 0;
}
