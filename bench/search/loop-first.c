/* A loop that leaves two paths for each byte, and only behind it what is worth finding: the trap of depth-first search. */
#include "../harness.h"

#ifndef SIZE
#define SIZE 40
#endif

volatile int sink;

static int narrow(const unsigned char *key) {
  if (key[0] != 'k') return 0;
  if (key[1] != 'e') return 1;
  if (key[2] != 'y') return 2;
  return key[3] > 200 ? 3 : 4;
}

int main(void) {
  unsigned char bytes[SIZE], key[4];
  int large = 0;
  SYM(bytes, "bytes");
  SYM(key, "key");
  switch (narrow(key)) {
    case 1: sink = 1; break;
    case 2: sink = 2; break;
    case 3: sink = 3; break;
    case 4: sink = 4; break;
    default: break;
  }
  for (int i = 0; i < SIZE; i++)
    if (bytes[i] > 100) large++;
  if (large == 17) sink = 5;
  return 0;
}
