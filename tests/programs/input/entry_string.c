// A pointer to characters stands for a string.
//! args: --entry parse --non-null
//! exits: 0
#include <assert.h>
#include <string.h>

int parse(const char *s) {
  if (strlen(s) < 2)
    return 0;
  assert(strncmp(s, "ok", 2) != 0); //~ BUG assertion
  return 0;
}
