// A sieve with bits.
#include <stdio.h>

#define LIMIT 5000
static unsigned char composite[LIMIT / 8 + 1];

int main(void) {
  int count = 0, largest = 0;
  for (int i = 2; i < LIMIT; i++) {
    if (composite[i >> 3] >> (i & 7) & 1)
      continue;
    count++;
    largest = i;
    if (count % 50 == 0)
      printf("%d: %d\n", count, i);
    for (int j = i * i; j < LIMIT; j += i)
      composite[j >> 3] |= (unsigned char)(1 << (j & 7));
  }
  printf("%d %d\n", count, largest);
  return count % 256;
}
