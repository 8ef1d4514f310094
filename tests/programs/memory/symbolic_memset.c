// The value and the length of a fill are input.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char a[4] = {9, 9, 9, 9}, value, n;
  klee_make_symbolic(&value, sizeof value, "value");
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 4)
    return 0;
  memset(a, value, n);
  for (int i = 0; i < 4; i++)
    klee_assert(a[i] == (i < n ? value : 9));
  if (n == 3 && a[0] == 0x80)
    return 1;
  return 0;
}
