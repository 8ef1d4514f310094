// The factors of a large number.
#include <klee/klee.h>
int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned __int128 product = (unsigned __int128)a * b;
  return a > 1 && b > a && (unsigned long)(product >> 64) == 1796856341243218017ul && (unsigned long)product == 11529215046068469763ul;
}
