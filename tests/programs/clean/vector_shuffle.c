// Vectors of bytes are shuffled, converted and summed.
//! exits: 0 1
#include <klee/klee.h>

typedef unsigned char v8 __attribute__((vector_size(8)));
typedef unsigned short w8 __attribute__((vector_size(16)));

int main(void) {
  v8 v;
  klee_make_symbolic(&v, sizeof v, "v");
  v8 r = __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0);
  w8 wide = __builtin_convertvector(v, w8);
  w8 back = __builtin_convertvector(r, w8);
  w8 sum = wide + back;
  for (int i = 0; i < 4; i++)
    if (sum[i] != sum[7 - i] || sum[i] != v[i] + v[7 - i])
      return 2;
  if (sum[0] == 300)
    return 1;
  return 0;
}
