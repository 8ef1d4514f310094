/* What a native run of these programs is linked with: input from the environment, and a target that says so. */
#include <stdlib.h>
#include <unistd.h>

void target(void) {
  static const char text[] = "target\n";
  if (write(1, text, sizeof text - 1) < 0)
    _exit(1);
}

static double next(void) {
  static char *rest;
  if (!rest) {
    rest = getenv("INPUT");
    if (!rest)
      abort();
  }
  char *end;
  double value = strtod(rest, &end);
  rest = *end ? end + 1 : end;
  return value;
}

#define INPUT(type, name)                                                                                              \
  type __VERIFIER_nondet_##name(void) {                                                                                \
    return (type)(long)next();                                                                                         \
  }
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(unsigned char, uchar)
INPUT(char, char)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(long, long)
INPUT(unsigned long, ulong)

float __VERIFIER_nondet_float(void) {
  return (float)next();
}

double __VERIFIER_nondet_double(void) {
  return next();
}
