// The C library calls back; the bug is in the comparison of the program.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int compare(const void *a, const void *b) {
  unsigned char x = *(const unsigned char *)a;
  unsigned char y = *(const unsigned char *)b;
  assert(x != y); //~ BUG assertion
  return x < y ? -1 : 1;
}

int main(void) {
  unsigned char a[2];
  klee_make_symbolic(a, sizeof a, "a");
  qsort(a, 2, 1, compare);
  return a[0] > a[1];
}
