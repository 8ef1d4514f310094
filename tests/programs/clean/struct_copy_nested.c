// Structures in structures and arrays of structures are copied as a whole.
//! exits: 0 1
#include <klee/klee.h>

struct inner {
  char tag;
  short n[2];
};
struct outer {
  struct inner i[2];
  double d;
  struct {
    int anonymous;
  };
};

int main(void) {
  struct outer a[2] = {0};
  klee_make_symbolic(&a[0], sizeof a[0], "a");
  a[1] = a[0];
  struct outer *p = &a[1];
  p->i[0] = p->i[1];
  p->anonymous ^= 0xff;
  if (a[1].i[0].n[1] != a[0].i[1].n[1] || a[1].anonymous == a[0].anonymous)
    return 2;
  if (a[1].i[0].tag == 'q' && a[1].anonymous == 0xf0)
    return 1;
  return 0;
}
