// A system call that is not modelled.
//! exits: 0
//! unsupported: system call `socket`
#include <klee/klee.h>
#include <sys/socket.h>

int main(void) {
  if (klee_int("x") == 5) {
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    return s < 0;
  }
  return 0;
}
