// The check digit of the number of a book, computed in two ways that always agree, and what else its digits add up to.
//! exits: 0 1 2 3 4
#include <klee/klee.h>

#define DIGITS 13

int main(void) {
  char text[DIGITS];
  klee_make_symbolic(text, sizeof text, "text");
  int sum = 0;
  for (int i = 0; i < DIGITS; i++) {
    if (text[i] < '0' || text[i] > '9')
      return 1;
    sum += (text[i] - '0') * (i % 2 ? 3 : 1);
  }
  if (sum % 10 != 0)
    return 2;
  if (text[0] != '9' || text[1] != '7' || (text[2] != '8' && text[2] != '9'))
    return 3;
  int check = (10 - (sum - (text[DIGITS - 1] - '0')) % 10) % 10;
  if (check != text[DIGITS - 1] - '0')
    return 5;
  if (sum == 150)
    return 4;
  return 0;
}
