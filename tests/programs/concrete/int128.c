// 128-bit integers in decimal.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print(u128 x) {
  char digits[40];
  int n = 40;
  do {
    digits[--n] = (char)('0' + (int)(x % 10));
    x /= 10;
  } while (x);
  printf("%.*s\n", 40 - n, digits + n);
}

int main(void) {
  u128 f = 1;
  for (unsigned i = 1; i <= 33; i++) {
    f *= i;
    print(f);
  }
  volatile u128 a = ((u128)0x123456789abcdef0 << 64) | 0xfedcba9876543210;
  print(a);
  print(a >> 7);
  print(a << 5);
  print(a / 1000000007);
  print(a % ((u128)1 << 100));
  print(a & ~(u128)0xffff);
  volatile i128 b = -(i128)a;
  printf("%d %d %d\n", b < 0, (i128)a > b, (long)(b >> 100) == -2);
  print((u128)(-b));
  printf("%.6g %.6g\n", (double)a, (double)b);
  return (int)(a % 97);
}
