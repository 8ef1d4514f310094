// Balanced brackets of two kinds.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  char stack[4];
  int depth = 0;
  for (int i = 0; i < 4; i++) {
    switch (s[i]) {
    case '(':
    case '[':
      stack[depth++] = s[i] == '(' ? ')' : ']';
      break;
    case ')':
    case ']':
      if (depth == 0 || stack[--depth] != s[i])
        return 0;
      break;
    default:
      return 0;
    }
  }
  return depth == 0;
}
