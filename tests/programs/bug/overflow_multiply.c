// The area of a rectangle does not fit 32 bits.
//! args: --check overflow
//! exits: 0
#include <klee/klee.h>

volatile int area;

int main(void) {
  unsigned short width;
  klee_make_symbolic(&width, sizeof width, "width");
  area = width * 50000; //~ BUG signed-overflow
  return 0;
}
