// A little interpreter with computed goto.
//! exits: 0 1 2 3 4
#include <klee/klee.h>

int main(void) {
  static void *labels[] = {&&stop, &&add, &&twice};
  unsigned char code[3];
  klee_make_symbolic(code, 2, "code");
  code[2] = 0;
  for (int i = 0; i < 2; i++)
    if (code[i] > 2)
      return 0;
  volatile int acc = 1;
  int pc = 0;
  goto *labels[code[pc++]];
add:
  acc++;
  goto *labels[code[pc++]];
twice:
  acc *= 2;
  goto *labels[code[pc++]];
stop:
  return acc;
}
