// INPUT 1
#include "target.h"
static void g(int unused) {
  target();
}
int main(void) {
  void (*f)(void) = in() == 1 ? (void (*)(void))g : 0;
  if (f)
    f();
  return 0;
}
