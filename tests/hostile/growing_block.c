// A block that doubles for ever.
#include <stdlib.h>
int main(void) {
  size_t size = 1;
  char *block = malloc(size);
  for (;;) {
    size *= 2;
    block = realloc(block, size);
    if (block == 0) return 1;
    for (size_t i = size / 2; i < size; i += 256) block[i] = (char)i;
  }
}
