/* What the programs send to a log: code that is tested elsewhere, and multiplies the paths of those who call it. */
#include "../harness.h"

/* How many bits of a number are sent. */
#ifndef BITS
#define BITS 3
#endif

volatile int sink;

/* The parity of a start bit and the bits before it. */
static int parity(unsigned bits) {
  int odd = 0;
  for (int i = 0; i <= BITS; i++, bits >>= 1)
    if (bits & 1) odd = !odd;
  return odd;
}

/* Sends the lowest bits of a number behind a start bit. */
static void record(int number) { sink = parity(1u << BITS | ((unsigned)number & ((1u << BITS) - 1))); }
