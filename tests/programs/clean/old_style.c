// Functions in the style of the first C, called without a prototype, and callbacks of other types.
//! args: --cflag -std=gnu89 --cflag -Wno-everything
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

int add();
float scaled();

int main(void) {
  char small;
  short middle;
  long large;
  klee_make_symbolic(&small, sizeof small, "small");
  klee_make_symbolic(&middle, sizeof middle, "middle");
  klee_make_symbolic(&large, sizeof large, "large");
  if (add(small, middle, large) != (int)(small + middle + large))
    return 1;
  if (scaled(1.5f, small) != 1.5f * small)
    return 2;
  return undeclared(large) != (int)large;
}

int add(a, b, c)
char a;
short b;
long c;
{
  return (int)(a + b + c);
}

float scaled(factor, number)
float factor;
char number;
{
  return factor * number;
}

int undeclared(x)
int x;
{
  return x;
}
