// A pointer is stored at a symbolic index of a packed structure: each element keeps the pointer that it had, or gets the new one as a whole.
//! exits: 0 1 2
#include <klee/klee.h>

struct __attribute__((packed)) entry {
  int tag;
  int *value;
};

static int old = 5, new = 6;

int main(void) {
  struct entry table[4];
  for (int k = 0; k < 4; k++)
    table[k] = (struct entry){k, &old};
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 4)
    return 0;
  table[i].value = &new;
  int sum = 0;
  for (int k = 0; k < 4; k++)
    sum += *table[k].value;
  if (sum != 21)
    return 9;
  return *table[2].value == 6 ? 1 : 2;
}
