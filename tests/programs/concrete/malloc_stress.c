// Many blocks of many sizes are allocated, grown, checked and freed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char *blocks[64] = {0};
  size_t sizes[64] = {0};
  unsigned seed = 12345, sum = 0;
  for (int round = 0; round < 600; round++) {
    seed = seed * 1103515245u + 12345u;
    unsigned i = seed >> 16 & 63;
    size_t size = (seed >> 8 & 255) + 1;
    if (!blocks[i]) {
      blocks[i] = round % 3 ? malloc(size) : calloc(size, 1);
      memset(blocks[i], (int)i, size);
      sizes[i] = size;
    } else if (round % 2) {
      blocks[i] = realloc(blocks[i], size);
      size_t common = size < sizes[i] ? size : sizes[i];
      for (size_t k = 0; k < common; k++)
        if (blocks[i][k] != i)
          return 1;
      memset(blocks[i], (int)i, size);
      sizes[i] = size;
    } else {
      sum += blocks[i][sizes[i] - 1];
      free(blocks[i]);
      blocks[i] = NULL;
    }
  }
  for (int i = 0; i < 64; i++) {
    sum += (unsigned)sizes[i];
    free(blocks[i]);
  }
  void *p;
  if (posix_memalign(&p, 256, 10) || ((uintptr_t)p & 255))
    return 2;
  free(p);
  printf("%u\n", sum);
  return 0;
}
