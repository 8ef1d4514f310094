// The address one past the end may be formed and compared.
//! exits: 0 1 2 3 4
#include <klee/klee.h>

static char text[4];

int main(void) {
  klee_make_symbolic(text, sizeof text, "text");
  const char *p = text, *end = text + 4;
  while (p != end && *p != '.')
    p++;
  return (int)(p - text);
}
