// Prints for ever.
#include <klee/klee.h>
#include <stdio.h>
int main(void) {
  int x = klee_int("x");
  for (int i = 0;; i++) printf("%d %d and some more text\n", i, x + i);
}
