// The function under test is chosen although there is a `main`.
//! args: --entry half
//! exits: 0
#include <assert.h>

int half(unsigned x) {
  assert(x / 2 != 333333333); //~ BUG assertion
  return 0;
}

int main(void) { return half(4) + 5; }
