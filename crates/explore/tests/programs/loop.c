// A loop that runs zero to nine times.
#include <klee/klee.h>

int main(void) {
  unsigned char n;
  int sum = 0;
  klee_make_symbolic(&n, sizeof n, "n");
  n %= 10;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
