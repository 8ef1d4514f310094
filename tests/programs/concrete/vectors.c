// GCC vectors of several types and widths.
#include <stdio.h>

typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef long v2l __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));

int main(void) {
  volatile int seed = 3;
  v4i a = {seed, -seed, seed * 2, 100}, b = {1, 2, 3, 4};
  v4i r[] = {a + b, a - b, a * b, a / b, a % b, a << b, a >> 1, a & b, a | b, a ^ b, ~a, -a, a < b, a == b};
  for (unsigned i = 0; i < sizeof r / sizeof *r; i++)
    printf("%d %d %d %d\n", r[i][0], r[i][1], r[i][2], r[i][3]);
  v4f f = {0.5f, 1.5f, -2.0f, 8.0f};
  f = f * f + 1.0f;
  v4i t = __builtin_convertvector(f, v4i);
  printf("%g %g %g %g %d %d %d %d\n", (double)f[0], (double)f[1], (double)f[2], (double)f[3], t[0], t[1], t[2], t[3]);
  v16 bytes;
  for (int i = 0; i < 16; i++)
    bytes[i] = (unsigned char)(i * 20);
  bytes += 100;
  v16 odd = __builtin_shufflevector(bytes, bytes, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  for (int i = 0; i < 16; i++)
    printf("%d ", odd[i]);
  v2l l = (v2l)a;
  v8s s = (v8s)l;
  printf("\n%lx %d\n", (unsigned long)l[0], s[6]);
  printf("%d %d\n", __builtin_reduce_add(b), __builtin_reduce_max(a));
  return a[seed];
}
