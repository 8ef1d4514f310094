// INPUT 1
#include "target.h"
#include <stdlib.h>
struct n {
  struct n *l, *r;
  int v;
};
static struct n *ins(struct n *t, int v) {
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t)
      exit(1);
    t->v = v;
    return t;
  }
  if (v < t->v)
    t->l = ins(t->l, v);
  else
    t->r = ins(t->r, v);
  return t;
}
int main(void) {
  struct n *t = 0;
  int a = in(), b = 5, c = 3;
  t = ins(t, a);
  t = ins(t, b);
  t = ins(t, c);
  if (t->r && t->r->l && t->r->l->v == 3)
    target();
  return 0;
}
