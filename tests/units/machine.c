// A stack machine: it checks its stack, and forgets to check a division.
//! unit: execute 18/18 --array-len 3 --non-null
#include <stdlib.h>

enum operation { PUSH, ADD, DIVIDE, DUPLICATE, HALT };

struct instruction {
  enum operation operation;
  signed char operand;
};

/* Runs up to two instructions; gives the top of the stack, or -1000. */
int execute(const struct instruction *code) {
  int stack[4] = {12, 3, 0, 0};
  int top = 1;
  for (int at = 0; at < 2; at++) {
    switch (code[at].operation) {
    case PUSH:
      if (top >= 2)
        return -1000;
      stack[++top] = code[at].operand;
      break;
    case ADD:
      if (top < 1)
        return -1000;
      stack[top - 1] += stack[top];
      top--;
      break;
    case DIVIDE:
      if (top < 1)
        return -1000;
      stack[top - 1] /= stack[top]; //~[execute] BUG division-by-zero
      top--;
      break;
    case DUPLICATE:
      if (top >= 2)
        return -1000;
      stack[top + 1] = stack[top];
      top++;
      break;
    case HALT:
      return stack[top];
    default:
      if (code[at].operand == 77)
        exit(3);
      return -1000;
    }
  }
  return stack[top];
}
