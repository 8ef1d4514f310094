// INPUT 3
#include "target.h"
#include <alloca.h>
struct n {
  int v;
  struct n *next;
};
int main(void) {
  struct n *head = 0;
  int c = in();
  if (c > 5)
    return 0;
  for (int i = 0; i < c; i++) {
    struct n *n = alloca(sizeof *n);
    n->v = i;
    n->next = head;
    head = n;
  }
  int s = 0;
  for (struct n *n = head; n; n = n->next)
    s += n->v;
  if (s == 3 && head->next->v == 1)
    target();
  return 0;
}
