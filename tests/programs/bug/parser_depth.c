// A parser of nested brackets keeps its stack in a fixed array.
//! args: --sym-stdin 4
//! exits: 0 1
#include <stdio.h>

int main(void) {
  volatile char stack[3];
  int depth = 0, c;
  while ((c = getchar()) != EOF) {
    if (c == '(') {
      stack[depth++] = '('; //~ BUG out-of-bounds-write
    } else if (c == ')') {
      if (depth == 0)
        return 1;
      depth--;
    } else {
      break;
    }
  }
  return depth != 0;
}
