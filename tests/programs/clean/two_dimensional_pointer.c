// Rows of different length through a table of pointers.
//! exits: 0 1
#include <klee/klee.h>

static const char *const names[] = {"zero", "one", "two", "three"};

int main(void) {
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  if (i >= 4 || j >= 4)
    return 0;
  const char *name = names[i];
  for (int k = 0; k < j; k++)
    if (name[k] == 0)
      return 0;
  return name[j] == 'o' && j > 1;
}
