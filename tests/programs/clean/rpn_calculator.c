// A calculator in reverse Polish notation: two digits and an operator.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  int stack[3], depth = 0;
  for (int i = 0; i < 3; i++) {
    char c = s[i];
    if (c >= '0' && c <= '9') {
      stack[depth++] = c - '0';
      continue;
    }
    if (depth < 2)
      return 1;
    int b = stack[--depth], a = stack[--depth];
    switch (c) {
    case '+':
      stack[depth++] = a + b;
      break;
    case '-':
      stack[depth++] = a - b;
      break;
    case '*':
      stack[depth++] = a * b;
      break;
    default:
      return 1;
    }
  }
  if (depth != 1)
    return 1;
  if (stack[0] == 42)
    return 2;
  return 0;
}
