// Text to floating point: the value to the bit, the end of the number, and errno.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    "",       " ",       "-",       ".",         "x5",      "1e+",       "1.e5",     "0x",        "0x.8p1",   "0x1p",
    "inf",    "-infi",   "nan",     "-nan",      "nan(12)", "-nan(0x7)", "nan(abc)", "nan(1",     "nan(010)", "NaN(99999999999999999999)",
    "1e400",  "-1e400",  "1e-400",  "4.9e-324",  "2.4e-324", "0x1p-1074", "0x1p-1075", "0x1.8p-1074", "0e999", "1e-45",
    "0x1p-149", "1e-40", "1e39",    "1e4933",    "3.6e-4951", "1.7976931348623159e308", "0x1.fffffffffffff8p1023", "9007199254740993",
};

static void show(const void *value, int size) {
  for (int i = 0; i < size; i++)
    printf("%02x", ((const unsigned char *)value)[i]);
}

int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end;
    errno = 0;
    float f = strtof(texts[i], &end);
    show(&f, sizeof f);
    printf(" %d %d ", (int)(end - texts[i]), errno);
    errno = 0;
    double d = strtod(texts[i], &end);
    show(&d, sizeof d);
    printf(" %d %d ", (int)(end - texts[i]), errno);
    errno = 0;
    long double l = strtold(texts[i], &end);
    show(&l, 10);
    printf(" %d %d\n", (int)(end - texts[i]), errno);
  }
  return 0;
}
