// What goes into a ring buffer comes out in order.
//! exits: 0
#include <klee/klee.h>

static unsigned char data[4];
static unsigned head, tail;

static int put(unsigned char c) {
  if (head - tail == 4)
    return 0;
  data[head++ % 4] = c;
  return 1;
}
static int get(unsigned char *c) {
  if (head == tail)
    return 0;
  *c = data[tail++ % 4];
  return 1;
}

int main(void) {
  unsigned char ops;
  klee_make_symbolic(&ops, sizeof ops, "ops");
  unsigned char next_in = 0, next_out = 0, c;
  for (int i = 0; i < 7; i++) {
    if (ops >> i & 1) {
      if (put(next_in))
        next_in++;
    } else if (get(&c)) {
      klee_assert(c == next_out);
      next_out++;
    }
  }
  klee_assert(next_in - next_out == (int)(head - tail));
  return 0;
}
