// The target of a computed goto depends on the input: every label that it can be is gone to.
//! exits: 1 2 3
//! paths[O0]: 5
#include <klee/klee.h>

__attribute__((noinline)) int run(unsigned char op) {
  static void *const table[4] = {&&one, &&two, &&three, &&one};
  static const int distance[2] = {&&two - &&one, &&three - &&one};
  if (op & 4)
    goto *(&&one + distance[op & 1]);
  goto *table[op & 3];
one:
  return 1;
two:
  return 2;
three:
  return 3;
}

int main(void) {
  unsigned char op;
  klee_make_symbolic(&op, sizeof op, "op");
  return run(op);
}
