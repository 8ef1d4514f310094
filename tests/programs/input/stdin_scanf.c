// Numbers are read with `scanf`.
//! args: --sym-stdin 2
//! exits-some: 0 1 2
#include <stdio.h>

int main(void) {
  int x;
  if (scanf("%d", &x) != 1)
    return 0;
  return x == 37 ? 2 : 1;
}
