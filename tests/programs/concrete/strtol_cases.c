// Strings to integers: bases, signs, spaces, ends and overflow.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const char *const cases[] = {"0", "  42", "-17x", "+5", "0x1F", "017", "zz", "", "-", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "0x", "  \t\n12 34", "1e5"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (unsigned b = 0; b < 6; b++) {
      char *end;
      errno = 0;
      long v = strtol(cases[i], &end, bases[b]);
      printf("%ld:%td:%d ", v, end - cases[i], errno == ERANGE);
    }
    errno = 0;
    unsigned long u = strtoul(cases[i], NULL, 0);
    printf("%lu:%d\n", u, errno == ERANGE);
  }
  printf("%d %ld %lld\n", atoi("123abc"), atol("-9999999999"), atoll("77"));
  return atoi("12") + atoi("x");
}
