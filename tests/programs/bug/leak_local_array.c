// What only a variable of `main` points to is lost when `main` returns.
//! args: --check leak
//! exits:
#include <stdlib.h>

void *volatile sink;

int main(void) {
  void *volatile kept[2];
  kept[0] = malloc(8); //~ BUG leak
  sink = 0;
  return 0;
}
