// A table of functions is entered at a place that holds no function.
//! exits: 1 2
#include <klee/klee.h>

int one(void) { return 1; }
int two(void) { return 2; }
long data = 5;

void *volatile table[3] = {(void *)one, (void *)two, &data};

int main(void) {
  int i = klee_range(0, 3, "i");
  int (*f)(void) = (int (*)(void))table[i];
  return f(); //~ BUG bad-call
}
