/* What the programs send to a log: code that is tested elsewhere, and multiplies the paths of those who call it. */
#include "../harness.h"

volatile int sink;

/* The parity of the three lowest bits. */
static int parity(unsigned bits) {
  int odd = 0;
  for (int i = 0; i < 3; i++, bits >>= 1)
    if (bits & 1) odd = !odd;
  return odd;
}

/* Sends two bits of a number behind a start bit. */
static void record(int number) { sink = parity(4 | ((unsigned)number & 3)); }
