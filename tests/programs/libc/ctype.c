// Classes of characters.
//! exits: 0 1 2 3 4
#include <ctype.h>
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c >= 128)
    return 0;
  if (isdigit(c)) {
    klee_assert(c >= '0' && c <= '9');
    return 1;
  }
  if (isupper(c)) {
    klee_assert(isalpha(c) && !islower(c));
    return 2;
  }
  if (isspace(c))
    return 3;
  if (ispunct(c))
    return 4;
  return 0;
}
