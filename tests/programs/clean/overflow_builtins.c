// The builtins that tell whether an operation overflowed.
//! exits: 0
#include <klee/klee.h>
#include <limits.h>

int main(void) {
  int x = klee_int("x");
  int r;
  if (__builtin_add_overflow(x, 100, &r) != (x > INT_MAX - 100))
    return 1;
  if (r != (int)((unsigned)x + 100))
    return 2;
  if (__builtin_sub_overflow(x, 100, &r) != (x < INT_MIN + 100))
    return 3;
  unsigned char small;
  if (__builtin_add_overflow(x, 0, &small) != (x < 0 || x > 255))
    return 4;
  unsigned u;
  if (__builtin_sub_overflow(5u, (unsigned)x, &u) != ((unsigned)x > 5))
    return 5;
  if (__builtin_mul_overflow(x, 2, &r) != (x > INT_MAX / 2 || x < INT_MIN / 2))
    return 6;
  return 0;
}
