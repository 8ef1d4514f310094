/* What the programs send to a log: code that is tested elsewhere, and multiplies the paths of those who call it. */
#include "../harness.h"

volatile int sink;

/* The parity of the four lowest bits. */
static int parity(unsigned bits) {
  int odd = 0;
  for (int i = 0; i < 4; i++, bits >>= 1)
    if (bits & 1) odd = !odd;
  return odd;
}

/* Sends three bits of a number behind a start bit. */
static void record(int number) { sink = parity(8 | ((unsigned)number & 7)); }
