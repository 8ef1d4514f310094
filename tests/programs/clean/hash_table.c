// A small hash table with open addressing.
//! exits: 0 1 2
#include <klee/klee.h>

static unsigned char slots[4];

static int add(unsigned char key) {
  unsigned h = key * 7 % 4;
  for (int i = 0; i < 4; i++) {
    unsigned at = (h + i) % 4;
    if (slots[at] == key)
      return 0;
    if (slots[at] == 0) {
      slots[at] = key;
      return 1;
    }
  }
  return -1;
}

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a == 0 || b == 0)
    return 0;
  int added = add(a);
  added += add(b);
  klee_assert(added == (a == b ? 1 : 2));
  return added;
}
