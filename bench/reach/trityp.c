/* The kind of triangle with three given sides: equilateral, isosceles and scalene are a target each.
 *
 * TARGET target reached
 * TARGET target2 reached
 * TARGET target3 reached
 */
#include "reach.h"

static int classify(int a, int b, int c) {
  if (a <= 0 || b <= 0 || c <= 0)
    return 0;
  int kind = 0;
  if (a == b)
    kind += 1;
  if (a == c)
    kind += 2;
  if (b == c)
    kind += 3;
  if (kind == 0)
    return a + b <= c || b + c <= a || a + c <= b ? 0 : 1;
  if (kind > 3)
    return 3;
  if (kind == 1 && a + b > c)
    return 2;
  if (kind == 2 && a + c > b)
    return 2;
  if (kind == 3 && b + c > a)
    return 2;
  return 0;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int c = __VERIFIER_nondet_int();
  switch (classify(a, b, c)) {
  case 1:
    target();
    break;
  case 2:
    target2();
    break;
  case 3:
    target3();
    break;
  }
  return 0;
}
