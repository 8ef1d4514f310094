// The less known copies.
//! exits: 0 1
#define _GNU_SOURCE
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4], t[8];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  char *end = stpcpy(t, s);
  klee_assert(*end == 0 && (size_t)(end - t) == strlen(s));
  char *after = memccpy(t, s, ';', 3);
  if (!after)
    return 0;
  klee_assert(after[-1] == ';');
  return 1;
}
