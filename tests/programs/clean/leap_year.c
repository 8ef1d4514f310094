// The rules of the Gregorian calendar.
//! exits: 28 29
//! branches[O0]: all
#include <klee/klee.h>

int main(void) {
  unsigned short year;
  klee_make_symbolic(&year, sizeof year, "year");
  if (year % 400 == 0)
    return 29;
  if (year % 100 == 0)
    return 28;
  if (year % 4 == 0)
    return 29;
  return 28;
}
