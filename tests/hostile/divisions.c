// Divisions of products of two words: quick to build, slow to turn into a circuit, hopeless to decide.
#include <klee/klee.h>
int main(void) {
  unsigned long a, b, h = 1;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  for (int i = 0; i < 24; i++) h = h * (a + i) / (b | 1) + h % (a | 3) * (b ^ i);
  return h == 12345678901234567ul && (h * a + b) % 1000003 == 17;
}
