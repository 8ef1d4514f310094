// INPUT 3
#include "target.h"
int real_f(int x) {
  return x + 1;
}
int f(int x) __attribute__((weak, alias("real_f")));
int gv = 3;
extern int gw __attribute__((alias("gv")));
int main(void) {
  gw = in();
  if (f(gv) == 4)
    target();
  return 0;
}
