// INPUT 2
#include "target.h"
struct s {
  const char *n;
  int v;
  struct s *next;
};
static struct s c = {"c", 3, 0}, b = {"b", 2, &c}, a = {"a", 1, &b};
int main(void) {
  struct s *p = &a;
  for (int i = in(); i > 0 && p; i--)
    p = p->next;
  if (p && p->n[0] == 'c' && p->v == 3)
    target();
  return 0;
}
