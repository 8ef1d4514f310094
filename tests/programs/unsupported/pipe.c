// Another system call that is not modelled.
//! exits: 0
//! unsupported: system call
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (klee_int("x") > 1000)
    return pipe(ends) != 0;
  return 0;
}
