// Each byte of a pointer is chosen by a condition of its own, without a branch; for the values that are allowed, all of them agree.
//! exits-some: 1 2
#include <klee/klee.h>
#include <stdint.h>

static int a = 1, b = 2;

int main(void) {
  unsigned char choice;
  klee_make_symbolic(&choice, sizeof choice, "choice");
  klee_assume((choice == 0) | (choice == 100));
  uintptr_t bits = 0;
  for (unsigned k = 0; k < 8; k++) {
    uintptr_t from_a = (uintptr_t)&a >> 8 * k & 0xff, from_b = (uintptr_t)&b >> 8 * k & 0xff;
    uintptr_t mask = -(uintptr_t)(choice > k * 10);
    bits |= ((from_a & mask) | (from_b & ~mask)) << 8 * k;
  }
  int value = *(int *)bits;
  if (value == 1)
    return 1;
  return value == 2 ? 2 : 9;
}
