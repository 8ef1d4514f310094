// The table of month lengths is indexed by a month from 1 to 12.
//! exits: 0 1
#include <klee/klee.h>

int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
  unsigned char month, day;
  klee_make_symbolic(&month, sizeof month, "month");
  klee_make_symbolic(&day, sizeof day, "day");
  if (month < 1 || month > 12)
    return 1;
  volatile int *table = days;
  int length = table[month]; //~ BUG out-of-bounds-read
  if (day < 1 || day > length)
    return 1;
  return 0;
}
