// A ring buffer that forgets to wrap when it is read.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

#define SIZE 3

int main(void) {
  unsigned char ops;
  klee_make_symbolic(&ops, sizeof ops, "ops");
  volatile char *data = malloc(SIZE);
  unsigned head = 0, tail = 0;
  for (int i = 0; i < 8; i++) {
    if (ops >> i & 1) {
      data[head % SIZE] = (char)i;
      head++;
    } else if (tail < head) {
      (void)data[tail]; //~ BUG out-of-bounds-read
      tail++;
    }
  }
  free((void *)data);
  return 0;
}
