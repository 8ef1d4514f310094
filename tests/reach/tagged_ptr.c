// INPUT 1
#include "target.h"
#include <stdint.h>
struct n {
  int v;
  uintptr_t next;
};
static struct n x = {1, 0}, y = {2, 0};
int main(void) {
  x.next = (uintptr_t)&y | (in() == 1);
  struct n *n = (struct n *)(x.next & ~(uintptr_t)1);
  n->v = 8;
  if (y.v == 8 && x.next & 1)
    target();
  return 0;
}
