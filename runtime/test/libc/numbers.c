/* Conversions, arithmetic helpers, sorting, searching and pseudo-random numbers. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int by_last_digit(const void *a, const void *b) {
  calls++;
  printf("%d?%d ", *(const int *)a, *(const int *)b);
  return *(const int *)a % 10 - *(const int *)b % 10;
}

int main(void) {
  static const char *const texts[] = {"0", "42", "-17", "+8x", " 0x1f", "077", "9223372036854775807", "9223372036854775808",
                                      "-9223372036854775809", "", "zz", "1e3", "-.5e-3", "0x1.8p3", "inf", "nan", "1e400", "3.14159265358979"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end;
    const char *s = texts[i];
    for (int base = 0; base <= 36; base += 8) {
      errno = 0;
      long value = strtol(s, &end, base);
      printf("%ld/%td/%d ", value, end - s, errno);
      errno = 0;
      unsigned long positive = strtoul(s, &end, base);
      printf("%lu/%td/%d ", positive, end - s, errno);
    }
    double d = strtod(s, &end);
    printf("%g/%td %a %g %d %ld\n", d, end - s, strtof(s, NULL), (double)strtold(s, NULL), atoi(s), atol(s));
  }
  for (int c = -1; c < 256; c++)
    printf("%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c),
           !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
  int numbers[23];
  for (int n = 0; n <= 23; n++) {
    for (int i = 0; i < n; i++) numbers[i] = i * 37 % 100;
    qsort(numbers, n, sizeof *numbers, by_last_digit);
    for (int i = 0; i < n; i++) printf("%d ", numbers[i]);
    int key = 7, *found = bsearch(&key, numbers, n, sizeof *numbers, by_last_digit);
    printf("%td %d\n", found ? found - numbers : -1, calls);
  }
  for (int i = 0; i < 5; i++) printf("%d %ld ", rand(), random());
  for (unsigned seed = 0; seed < 4000000000u; seed += 1234567891u) {
    srand(seed);
    for (int i = 0; i < 100; i++) printf("%d ", rand());
    unsigned state = seed;
    printf("%d %d\n", rand_r(&state), rand_r(&state));
    srand48(seed);
    printf("%g %ld\n", drand48(), lrand48());
  }
  div_t quotient = div(-17, 5);
  printf("%d %d %d %ld %jd\n", quotient.quot, quotient.rem, abs(INT_MIN + 1), labs(-5L), imaxabs(-7));
  return 0;
}
