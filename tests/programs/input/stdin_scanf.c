// Numbers are read with `scanf`.
//! args: --sym-stdin 2
//! exits: 0 1 2
#include <stdio.h>

int main(void) {
  int x;
  if (scanf("%d", &x) != 1)
    return 0;
  if (x == 37)
    return 2;
  return 1;
}
