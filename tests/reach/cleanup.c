// INPUT 3
#include "target.h"
static int g;
static void done(int *p) {
  g = *p;
}
static void f(int x) {
  __attribute__((cleanup(done))) int v = x;
  v++;
}
int main(void) {
  f(in());
  if (g == 4)
    target();
  return 0;
}
