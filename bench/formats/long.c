/* A log of lines, each with a level. It aborts when the 200th letter is that of a complaint; whatever shorter logs are
 * like, nothing new can be found in them. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Many programs keep lengths in a smaller type. */
#ifndef LENGTH
#define LENGTH size_t
#endif

static volatile unsigned sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
  LENGTH size = (LENGTH)length;
  unsigned letters = 0, digits = 0;
  for (LENGTH i = 0; i < size; i++) {
    if (data[i] >= 'a' && data[i] <= 'z') letters++;
    else if (data[i] >= '0' && data[i] <= '9') digits++;
  }
  sink = letters - digits;
  if (size >= 200 && data[199] == '!') abort();
  return 0;
}
