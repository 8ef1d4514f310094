// Strings to floating-point numbers.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const char *const cases[] = {"0", "1.5", "-2.25e3", "1e400", "-1e400", "1e-400", "0x1.8p3", "inf", "-INFINITY", ".5", "5.", "e5", "1e", "1e+", "  3.25 rest", "0.1", "123456789012345678901234567890", "4.9406564584124654e-324", "2.2250738585072011e-308"};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *end;
    errno = 0;
    double d = strtod(cases[i], &end);
    printf("%.17g %td %d | ", d, end - cases[i], errno == ERANGE && d > 1);
    printf("%.9g\n", (double)strtof(cases[i], NULL));
  }
  printf("%.3f %.20Lg\n", atof("2.5000"), strtold("0.1", NULL));
  return 0;
}
