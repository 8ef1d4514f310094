// What happens only if two calls fail: the second one goes unnoticed. The pointers are volatile, or an optimiser would
// remove the blocks.
//! args: --fail-calls 2
//! exits: 0
#include <stdlib.h>

int main(void) {
  char *volatile first = malloc(4);
  if (first != NULL) {
    free(first);
    return 0;
  }
  char *volatile second = malloc(4);
  second[0] = 'x'; //~ BUG null-pointer
  free(second);
  return 0;
}
