// What is decided once follows later: in the middle of a path, right before its end, and before further decisions.
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  int sum = 0;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a < 16)
    sum += table[a] > 4;
  if (a > 20)
    sum += 2;
  if (b > 8)
    sum += 4;
  if (a < 10)
    sum += 8;
  if (b > 7)
    sum += 16;
  if (a > 16)
    return sum;
  return b > 6 ? -sum : sum;
}
