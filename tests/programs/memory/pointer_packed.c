// A pointer is a member of a packed structure, whose elements are 12 bytes apart: it is still one pointer when the index is symbolic.
//! exits: 0 10 20 30
#include <klee/klee.h>

struct __attribute__((packed)) entry {
  int tag;
  int *value;
};

static int a = 10, b = 20, c = 30;

int main(void) {
  struct entry table[3] = {{1, &a}, {2, &b}, {3, &c}};
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 3)
    return 0;
  int *p = table[i].value;
  if (*p == 10)
    return 10;
  if (*p == 20)
    return 20;
  return *p;
}
