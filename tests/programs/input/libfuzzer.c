// A harness for libFuzzer: bytes and their number.
//! args: --max-len 3
//! exits: 0
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z')
    abort(); //~ BUG abort
  return 0;
}
