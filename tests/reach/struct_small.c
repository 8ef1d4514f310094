// INPUT 1,2
#include "target.h"
struct s {
  int a;
  double d;
  char c;
};
struct p {
  int x, y;
};
static struct p swap(struct p p) {
  struct p r = {p.y, p.x};
  return r;
}
static double get(struct s s) {
  return s.d + s.a + s.c;
}
int main(void) {
  struct p p = swap((struct p){in(), in()});
  struct s s = {p.x, p.y, 4};
  if (p.x == 2 && get(s) == 7)
    target();
  return 0;
}
