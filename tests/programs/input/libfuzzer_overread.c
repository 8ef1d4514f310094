// The harness looks at a byte that may not be there.
//! args: --max-len 2
//! exits: 0
#include <stddef.h>
#include <stdint.h>

volatile int seen;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const volatile uint8_t *p = data;
  if (size == 0)
    return 0;
  if (p[0] == 2)
    seen = p[1]; //~ BUG out-of-bounds-read
  return 0;
}
