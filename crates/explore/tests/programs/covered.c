/* The read is out of bounds only if three conditions hold at once, and other inputs cover both sides of each. */
#include <klee/klee.h>

static int table[4];

int main(void) {
  unsigned char a, b, c;
  unsigned index = 1;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if (a > 10) index++;
  if (b > 20) index++;
  if (c > 30) index++;
  return table[index];
}
