/* Runs a program of a few bytes on a machine with a stack: each byte decides what the next ones mean. */
#include "../harness.h"

#ifndef SIZE
#define SIZE 12
#endif
#define CELLS 8
#define MOST_STEPS 24

enum status { RUNNING, HALTED, OVERFLOWN, EMPTY, DIVIDED, BAD_CODE, BAD_JUMP, TOO_LONG, WON };

static unsigned char stack[CELLS];
static int height;

static enum status push(unsigned char value) {
  if (height == CELLS) return OVERFLOWN;
  stack[height++] = value;
  return RUNNING;
}

static enum status arithmetic(unsigned char code) {
  if (height < 2) return EMPTY;
  unsigned char right = stack[--height], left = stack[--height];
  switch (code) {
    case 2: return push(left + right);
    case 3: return push(left - right);
    case 4: return push(left * right);
    default:
      if (right == 0) return DIVIDED;
      return push(left / right);
  }
}

volatile int sink;

static enum status run(const unsigned char *code) {
  int at = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    enum status status = RUNNING;
    if (at >= SIZE) return HALTED;
    unsigned char operation = code[at++];
    switch (operation) {
      case 0: return HALTED;
      case 1:
        if (at >= SIZE) return BAD_CODE;
        status = push(code[at++]);
        break;
      case 2: case 3: case 4: case 5: status = arithmetic(operation); break;
      case 6:
        if (height == 0) return EMPTY;
        status = push(stack[height - 1]);
        break;
      case 7:
        if (height == 0) return EMPTY;
        height--;
        break;
      case 8:
        if (at < 3) return BAD_JUMP;
        at -= 3;
        break;
      case 9:
        if (height == 0) return EMPTY;
        if (stack[--height] == 0) at++;
        break;
      case 10:
        if (height > 2 && stack[height - 1] == 77 && stack[height - 2] == 88) return WON;
        return HALTED;
      default: return BAD_CODE;
    }
    if (status != RUNNING) return status;
  }
  return TOO_LONG;
}

int main(void) {
  unsigned char code[SIZE];
  SYM(code, "code");
  switch (run(code)) {
    case HALTED: sink = 1; break;
    case OVERFLOWN: sink = 2; break;
    case EMPTY: sink = 3; break;
    case DIVIDED: sink = 4; break;
    case BAD_CODE: sink = 5; break;
    case BAD_JUMP: sink = 6; break;
    case TOO_LONG: sink = 7; break;
    default: sink = 8; break;
  }
  return 0;
}
