/* What the machine does for the C library, done natively, so that the bitcode of the library can be
 * checked against the C library of this system without the machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

long __secateur_syscall(long n, long a, long b, long c, long d, long e, long f) {
  long result = syscall(n, a, b, c, d, e, f);
  return result == -1 ? -errno : result;
}

int __secateur_format(char **text, const char *format, va_list arguments, int error) {
  errno = error;
  return vasprintf(text, format, arguments);
}

int __secateur_format_output(char **text, const char *format, va_list arguments, int error, int fd) {
  (void)fd;
  return __secateur_format(text, format, arguments, error);
}

int __secateur_print(int fd, const char *format, va_list arguments, int error, int *failed) {
  errno = error;
  int length = vdprintf(fd, format, arguments);
  *failed = length < 0 ? errno : 0;
  return length;
}

/* The checked programs ask for no other locale. */
void __secateur_locale_other_than_C(void) { abort(); }

/* The checked programs have no destructors. */
void *__secateur_destructor(unsigned long index) {
  (void)index;
  return NULL;
}

int program(int argc, char **argv, char **environment);

int main(int argc, char **argv, char **environment) { return program(argc, argv, environment); }

/* The library calls these where it ends a path as unsupported; no test may come there. */
#define UNSUPPORTED(name) \
  void name(void) { abort(); }
UNSUPPORTED(__secateur_fnmatch_unusual_pattern)
UNSUPPORTED(__secateur_strftime_unusual_format)
UNSUPPORTED(__secateur_inet_aton_space)
UNSUPPORTED(__secateur_inet_ntop_embedded_address)
UNSUPPORTED(__secateur_wide_output_beyond_ascii)
UNSUPPORTED(__secateur_wprintf_unusual_format)

/* Mathematical functions. */
#define ONE(name) \
  double __secateur_##name(double x) { return name(x); } \
  float __secateur_##name##f(float x) { return name##f(x); }
#define TWO(name) \
  double __secateur_##name(double x, double y) { return name(x, y); } \
  float __secateur_##name##f(float x, float y) { return name##f(x, y); }
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh)
ONE(acosh) ONE(atanh) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2) ONE(log10)
ONE(log1p) ONE(cbrt) ONE(erf) ONE(erfc) ONE(tgamma) ONE(lgamma) ONE(j0) ONE(j1) ONE(y0) ONE(y1)
ONE(sqrt)
TWO(pow) TWO(atan2) TWO(hypot) TWO(fmod) TWO(fdim)
