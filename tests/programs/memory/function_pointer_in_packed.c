// A pointer to a function is a member of a packed structure.
//! exits: 0 4 5 6
#include <klee/klee.h>

struct __attribute__((packed)) command {
  char letter;
  int (*run)(void);
};

static int four(void) { return 4; }
static int five(void) { return 5; }
static int six(void) { return 6; }

int main(void) {
  struct command table[3] = {{'a', four}, {'b', five}, {'c', six}};
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  return i < 3 ? table[i].run() : 0;
}
