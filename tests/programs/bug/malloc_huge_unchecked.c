// An allocation that cannot succeed is checked on one path only; the sanitizer's warning of it hides neither bug.
//! exits: 1 2
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  volatile size_t size = (size_t)1 << 60;
  volatile char *p = malloc(size);
  switch (klee_int("x")) {
  case 7:
    *p = 1; //~ BUG null-pointer
    return 3;
  case 9:
    assert(p != NULL); //~ BUG assertion
    return 4;
  case 11:
    return p == NULL ? 2 : 5;
  }
  return 1;
}
