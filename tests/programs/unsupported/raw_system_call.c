// A system call by its number.
//! exits: 0 4
//! unsupported: system call `personality`
#include <klee/klee.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 1)
    return syscall(SYS_personality, 0) != 0;
  if (x == 2)
    return 4;
  return 0;
}
