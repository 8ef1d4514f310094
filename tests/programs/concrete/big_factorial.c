// Factorials with arrays of digits.
#include <stdio.h>

#define DIGITS 180
static unsigned char number[DIGITS];
static int length = 1;

static void multiply(unsigned m) {
  unsigned carry = 0;
  for (int i = 0; i < length || carry; i++) {
    if (i >= length)
      length = i + 1;
    unsigned t = number[i] * m + carry;
    number[i] = (unsigned char)(t % 10);
    carry = t / 10;
  }
}

int main(void) {
  number[0] = 1;
  for (unsigned i = 1; i <= 100; i++) {
    multiply(i);
    if (i % 20 == 0) {
      printf("%u! = ", i);
      for (int k = length - 1; k >= 0; k--)
        putchar('0' + number[k]);
      putchar('\n');
    }
  }
  return length;
}
