// Day and month to the day of the year and back.
//! exits: 0 1
#include <klee/klee.h>

static const unsigned char length[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
  int month = klee_range(0, 12, "month");
  int day = klee_int("day");
  if (day < 1 || day > length[month])
    return 1;
  int n = day;
  for (int m = 0; m < month; m++)
    n += length[m];
  int back = 0;
  while (n > length[back])
    n -= length[back++];
  klee_assert(back == month);
  klee_assert(n == day);
  return 0;
}
