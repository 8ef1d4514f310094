// Very many inputs, and a decision on each.
#include <klee/klee.h>
int main(void) {
  int hits = 0;
  for (int i = 0; i < 100000; i++)
    if (klee_int("x") == 7) hits++;
  return hits;
}
