// INPUT 0,9
#include "target.h"
struct ops {
  int (*a)(int);
  int (*b)(int);
};
static int inc(int x) {
  return x + 1;
}
static int dbl(int x) {
  return x * 2;
}
static const struct ops table[] = {{inc, dbl}, {dbl, inc}};
int main(void) {
  unsigned i = __VERIFIER_nondet_uint() & 1;
  int x = in();
  if (i == 0 && table[i].b(x) == 18 && table[1].b(x) == 10)
    target();
  return 0;
}
