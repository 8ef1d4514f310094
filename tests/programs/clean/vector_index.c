// A lane of a vector by an index that may be beyond the end: processors stay inside of the register.
//! exits: 0
#include <klee/klee.h>

typedef int four __attribute__((vector_size(16)));

__attribute__((noinline)) int get(four v, int i) { return v[i]; }
__attribute__((noinline)) four put(four v, int i, int x) {
  v[i] = x;
  return v;
}

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  four v = {10, 11, 12, 13};
  if (get(v, i) != 10 + i % 4)
    return 1;
  four w = put(v, i, 7);
  if (w[i % 4] != 7 || w[(i + 1) % 4] != v[(i + 1) % 4])
    return 2;
  return 0;
}
