// A symbolic byte fills a long block, which is then moved by an odd distance; limits of memory hold in between.
//! args: --max-memory 400M
//! exits: 0 1
//! complete: yes
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 100 << 20, MOVED = 1 << 20 };

int main(void) {
  unsigned char byte;
  klee_make_symbolic(&byte, 1, "byte");
  char *block = malloc(SIZE);
  if (!block)
    return 9;
  memset(block, byte, SIZE);
  block[0] = 7;
  memmove(block + 3, block, MOVED);
  if (block[3] != 7)
    return 8;
  if (block[4] == 3 && block[SIZE - 1] == 3)
    return 1;
  return 0;
}
