// A recursive matcher of the pattern a*b against three characters.
//! exits: 0 1
#include <klee/klee.h>

static int match(const char *p, const char *s) {
  if (*p == 0)
    return *s == 0;
  if (*p == '*')
    return match(p + 1, s) || (*s && match(p, s + 1));
  return *s == *p && match(p + 1, s + 1);
}

int main(void) {
  char s[4];
  klee_make_symbolic(s, 3, "s");
  s[3] = 0;
  return match("a*b", s);
}
