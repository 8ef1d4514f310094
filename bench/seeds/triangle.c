/* What kind of triangle three sides make: the classic of testing, with the comparisons in functions of their own. */
#include "log.h"

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

static int is_side(int length) {
  if (length <= 0) return 0;
  return length <= 10000;
}

static int closes(int a, int b, int c) {
  if (a + b <= c) return 0;
  if (b + c <= a) return 0;
  return a + c > b;
}

static enum kind classify(int a, int b, int c) {
  if (!is_side(a) || !is_side(b) || !is_side(c)) return NONE;
  if (!closes(a, b, c)) return NONE;
  if (a == b && b == c) return EQUILATERAL;
  if (a == b || b == c || a == c) return ISOSCELES;
  return SCALENE;
}

static void send(const int *sides) { record(sides[0] + sides[1] + sides[2]); }

int main(void) {
  int sides[3];
  SYM(sides, "sides");
  switch (classify(sides[0], sides[1], sides[2])) {
    case NONE: sink = 1; break;
    case SCALENE: sink = 2; break;
    case ISOSCELES: sink = 3; break;
    default: sink = 4; break;
  }
  send(sides);
  return 0;
}
