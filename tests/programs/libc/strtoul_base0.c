// The base is told by the prefix.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int k = klee_range(0, 4, "k");
  static const char *const text[] = {"0x1f", "017", "25", "z"};
  unsigned long n;
  switch (k) {
  case 0:
    n = strtoul(text[0], NULL, 0);
    break;
  case 1:
    n = strtoul(text[1], NULL, 0);
    break;
  case 2:
    n = strtoul(text[2], NULL, 0);
    break;
  default:
    n = strtoul(text[3], NULL, 36);
    break;
  }
  return n == 31 ? 0 : n == 15 ? 1 : n == 25 ? 2 : n == 35 ? 3 : 9;
}
