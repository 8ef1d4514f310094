// KLEE's own way of reporting an error.
//! exits: 0
//! paths: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 100, "x");
  if (x == 42)
    klee_report_error(__FILE__, __LINE__, "the answer is not allowed", "user.err"); //~ BUG reach-error
  return 0;
}
