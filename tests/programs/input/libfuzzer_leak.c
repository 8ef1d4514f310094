// A harness for libFuzzer that leaks for one input: its data is not its own, and not leaked.
//! args: --max-len 2 --check leak
//! exits: 0
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

const uint8_t *last;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  last = size == 1 ? data : NULL;
  if (size == 0 || data[0] != 'x')
    return 0;
  volatile char *copy = malloc(size); //~ BUG leak
  copy[0] = (char)data[0];
  copy = NULL;
  return 0;
}
