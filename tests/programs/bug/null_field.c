// A field of a structure is read through a null pointer: the address is not zero, but small.
//! exits: 0
//! paths[O0]: 3
#include <klee/klee.h>
#include <stddef.h>

struct node {
  int value[5];
  struct node *next;
};

struct node last = {{1, 2, 3, 4, 5}, NULL};
struct node first = {{6, 7, 8, 9, 10}, &last};

int main(void) {
  unsigned char steps;
  klee_make_symbolic(&steps, sizeof steps, "steps");
  klee_assume(steps < 3);
  struct node *volatile at = &first;
  if (steps >= 1)
    at = at->next;
  if (steps >= 2)
    at = at->next;
  volatile int *value = &at->value[2];
  int v = *value; //~ BUG null-pointer
  return v == 0;
}
