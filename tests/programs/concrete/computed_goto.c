// An interpreter with computed goto runs a program that prints factorials.
#include <stdio.h>

enum { PUSH, LOAD, STORE, ADD, SUB, MUL, LESS, JUMP, JZ, PRINT, HALT };

int main(void) {
  static void *const labels[] = {&&push, &&load, &&store, &&add, &&sub, &&mul, &&less, &&jump, &&jz, &&print, &&halt};
  static const int code[] = {PUSH, 1, STORE, 0, PUSH, 1,  STORE, 1, LOAD, 1,     PUSH, 13,   LESS, JZ,   34, LOAD, 0,   LOAD,
                             1,    MUL, STORE, 0, LOAD, 0, PRINT, LOAD, 1,   PUSH,  1,    ADD,  STORE, 1,  JUMP, 8,   HALT};
  int stack[16], sp = 0, pc = 0, vars[2] = {0}, steps = 0;
#define NEXT                    \
  do {                          \
    steps++;                    \
    goto *labels[code[pc++]];   \
  } while (0)
  NEXT;
push:
  stack[sp++] = code[pc++];
  NEXT;
load:
  stack[sp++] = vars[code[pc++]];
  NEXT;
store:
  vars[code[pc++]] = stack[--sp];
  NEXT;
add:
  sp--, stack[sp - 1] += stack[sp];
  NEXT;
sub:
  sp--, stack[sp - 1] -= stack[sp];
  NEXT;
mul:
  sp--, stack[sp - 1] *= stack[sp];
  NEXT;
less:
  sp--, stack[sp - 1] = stack[sp - 1] < stack[sp];
  NEXT;
jump:
  pc = code[pc];
  NEXT;
jz:
  pc = stack[--sp] ? pc + 1 : code[pc];
  NEXT;
print:
  printf("%d\n", stack[--sp]);
  NEXT;
halt:
  printf("%d steps, %d\n", steps, vars[1]);
  return sp;
}
