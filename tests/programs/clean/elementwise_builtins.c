// Clang's element-wise builtins on vectors: saturating sums and differences, minimum, maximum and absolute value.
//! exits: 0 1
#include <klee/klee.h>

typedef signed char s4 __attribute__((vector_size(4)));
typedef unsigned char u4 __attribute__((vector_size(4)));

int main(void) {
  signed char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  s4 v = {a, b, 0, 100}, w = {b, a, 50, 100};
  int sum = a + b, difference = a - b;
  int high = sum > 127 ? 127 : sum < -128 ? -128 : sum;
  int low = difference > 127 ? 127 : difference < -128 ? -128 : difference;
  s4 added = __builtin_elementwise_add_sat(v, w), taken = __builtin_elementwise_sub_sat(v, w);
  klee_assert((added[0] == high) & (added[1] == high) & (added[3] == 127));
  klee_assert((taken[0] == low) & (taken[2] == -50));
  u4 left = __builtin_elementwise_sub_sat((u4)v, (u4)w);
  klee_assert(left[0] == ((unsigned char)a > (unsigned char)b ? (unsigned char)a - (unsigned char)b : 0));
  s4 least = __builtin_elementwise_min(v, w), most = __builtin_elementwise_max(v, w);
  klee_assert((least[0] == least[1]) & (most[0] == most[1]) & (least[0] + most[0] == sum));
  s4 size = __builtin_elementwise_abs(v);
  if (size[1] == 77 && a == 3)
    return 1;
  return 0;
}
