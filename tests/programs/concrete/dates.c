// Dates of the Gregorian calendar from day numbers and back, and weekdays.
#include <stdio.h>

static long days_from(long y, int m, int d) {
  y -= m <= 2;
  long era = (y >= 0 ? y : y - 399) / 400;
  long yoe = y - era * 400;
  long doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void civil(long z, long *y, int *m, int *d) {
  z += 719468;
  long era = (z >= 0 ? z : z - 146096) / 146097;
  long doe = z - era * 146097;
  long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  long doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  long mp = (5 * doy + 2) / 153;
  *d = (int)(doy - (153 * mp + 2) / 5 + 1);
  *m = (int)(mp < 10 ? mp + 3 : mp - 9);
  *y = yoe + era * 400 + (*m <= 2);
}

int main(void) {
  static const char *const names[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  int wrong = 0;
  for (long n = -800000; n < 800000; n += 12347) {
    long y;
    int m, d;
    civil(n, &y, &m, &d);
    wrong += days_from(y, m, d) != n;
    if (n % 5 == 0)
      printf("%s %ld-%02d-%02d\n", names[(n % 7 + 7) % 7], y, m, d);
  }
  return wrong;
}
