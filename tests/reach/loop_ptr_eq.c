// INPUT 3
#include "target.h"
struct n {
  struct n *next;
  int v;
};
static struct n pool[6];
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 5)
    return 0;
  for (unsigned i = 0; i < 5; i++) {
    pool[i].next = &pool[i + 1];
    pool[i].v = (int)i;
  }
  pool[5].next = &pool[k];
  struct n *slow = pool, *fast = pool;
  do {
    slow = slow->next;
    fast = fast->next->next;
  } while (slow != fast);
  if (slow - pool == 3 && k == 3)
    target();
  return 0;
}
