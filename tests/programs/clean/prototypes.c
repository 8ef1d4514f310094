// Calls through prototypes of other types do what the calling convention of x86-64 makes of them.
//! exits: 0
// An optimiser drops or rewrites such calls where it sees them, hence `volatile`.
#include <klee/klee.h>

__attribute__((noinline)) long wide(long x) { return x; }
__attribute__((noinline)) int half(int x) { return x + 1; }
__attribute__((noinline)) int low(unsigned char x) { return x; }
__attribute__((noinline)) double mixed(int a, double b, int c) { return a * 100 + b * 10 + c; }
__attribute__((noinline)) int one(int a) { return a; }

typedef int (*any)();

int main(void) {
  int x = klee_int("x");
  long (*volatile extended)(int) = (long (*)(int))(any)wide;
  if (extended(x) != (long)(unsigned)x)
    return 1;
  // The upper half is not looked at.
  int (*volatile cut)(long) = (int (*)(long))(any)half;
  if (cut((long)x << 32 | 7) != 8)
    return 2;
  if (cut(x) != (int)((unsigned)x + 1))
    return 3;
  // Nor is anything of an `int` above the byte that is wanted.
  int (*volatile byte)(int) = (int (*)(int))(any)low;
  if ((byte(x & 0xff)) != (x & 0xff))
    return 4;
  // A result is cut, too.
  int (*volatile result)(long) = (int (*)(long))(any)wide;
  if (result((long)x << 32 | (unsigned)x) != x)
    return 5;
  // Integers and numbers of floating point have registers of their own.
  double (*volatile swapped)(double, int, int) = (double (*)(double, int, int))(any)mixed;
  if (swapped(2, 1, 3) != 123)
    return 6;
  // More arguments than the function has do not matter.
  int (*volatile more)(int, int, double, char *) = (int (*)(int, int, double, char *))(any)one;
  if (more(x, 2, 3, "4") != x)
    return 7;
  return 0;
}
