/* Numbers: sums over long loops, functions of the C library, and floating point.
 *
 * TARGET series_sum reached
 * TARGET angle_pair reached
 * TARGET mixed_root reached
 * TARGET collatz_long reached
 * TARGET power_of_two reached
 * TARGET interest reached
 * TARGET negative_square unreachable
 * TARGET even_and_odd unreachable
 * TARGET bounded_average unreachable
 */
#include "goals.h"
#include <math.h>

GOAL(series_sum)
GOAL(angle_pair)
GOAL(mixed_root)
GOAL(collatz_long)
GOAL(power_of_two)
GOAL(interest)
GOAL(negative_square)
GOAL(even_and_odd)
GOAL(bounded_average)

static void series(void) {
  unsigned short rounds = (unsigned short)__VERIFIER_nondet_uint();
  unsigned sum = 0;
  for (unsigned i = 1; i <= rounds; i++)
    sum += i * i % 7;
  if (sum == 14000)
    series_sum();
}

static void angles(void) {
  double a = __VERIFIER_nondet_double();
  double b = __VERIFIER_nondet_double();
  if (!(a > 0 && a < 100 && b > 0 && b < 100))
    return;
  if (sin(a) > 0.8 && cos(a + b) < -0.8 && exp(b / 20) > 3)
    angle_pair();
}

static void roots(void) {
  int n = __VERIFIER_nondet_int();
  double x = __VERIFIER_nondet_double();
  if (n < 10 || n > 1000 || !(x > 0))
    return;
  double root = sqrt((double)n) + log(x);
  if (root > 20 && root < 20.001)
    mixed_root();
}

static void collatz(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 2 || n > 2000)
    return;
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  if (steps == 100)
    collatz_long();
}

static void powers(void) {
  unsigned exponent = __VERIFIER_nondet_uint() % 200;
  unsigned value = 1;
  for (unsigned i = 0; i < exponent; i++)
    value = value * 3 % 65521;
  if (value == 4096)
    power_of_two();
}

static void savings(void) {
  unsigned cents = __VERIFIER_nondet_uint();
  unsigned rate = __VERIFIER_nondet_uint();
  if (cents > 10000000 || rate > 100)
    return;
  unsigned years = 0;
  while (cents < 100000000 && years < 500) {
    cents += cents / 1000 * rate;
    years++;
  }
  if (years == 137)
    interest();
}

static void squares(void) {
  int x = __VERIFIER_nondet_int();
  if (x > -40000 && x < 40000 && x * x < 0)
    negative_square();
}

static void parity(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = 2 * x + 1;
  if (y % 2 == 0)
    even_and_odd();
}

static void average(void) {
  unsigned sum = 0;
  for (int i = 0; i < 10; i++)
    sum += __VERIFIER_nondet_uchar();
  if (sum / 10 > 255)
    bounded_average();
}

int main(void) {
  switch (__VERIFIER_nondet_uchar()) {
  case 0:
    series();
    break;
  case 1:
    angles();
    break;
  case 2:
    roots();
    break;
  case 3:
    collatz();
    break;
  case 4:
    powers();
    break;
  case 5:
    savings();
    break;
  case 6:
    squares();
    break;
  case 7:
    parity();
    break;
  case 8:
    average();
    break;
  }
  return 0;
}
