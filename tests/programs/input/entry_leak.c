// The objects that are made for the parameters of a single function are not leaked by it.
//! args: --entry first --check leak
//! exits: 0
#include <stdlib.h>

int first(const char *s, int *p) {
  if (s == NULL || p == NULL)
    return 0;
  if (*p == 5) {
    volatile char *lost = malloc(3); //~ BUG leak
    lost[0] = *s;
    lost = NULL;
  }
  return *s;
}
