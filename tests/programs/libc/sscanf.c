// A number and a letter are read from a symbolic string.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  s[2] = 0;
  int n;
  char c;
  int fields = sscanf(s, "%1d%c", &n, &c);
  if (fields == 2 && n == 5 && c == 'k')
    return 3;
  return fields == 2 ? 2 : fields == 1;
}
