// Structures are passed and returned by value, small and large.
//! exits: 0 1 2
#include <klee/klee.h>

struct point {
  int x, y;
};
struct large {
  long a[6];
};

__attribute__((noinline)) struct point swap(struct point p) {
  struct point q = {p.y, p.x};
  return q;
}
__attribute__((noinline)) struct large rotate(struct large l) {
  long first = l.a[0];
  for (int i = 0; i < 5; i++)
    l.a[i] = l.a[i + 1];
  l.a[5] = first;
  return l;
}

int main(void) {
  struct point p;
  klee_make_symbolic(&p, sizeof p, "p");
  struct point q = swap(p);
  if (q.x != p.y || q.y != p.x)
    return 9;
  struct large l = {{p.x, 1, 2, 3, 4, 5}};
  struct large m = rotate(l);
  if (l.a[0] != p.x || m.a[5] != p.x || m.a[0] != 1)
    return 8;
  if (q.x == 17)
    return 1;
  if (m.a[5] < -5)
    return 2;
  return 0;
}
