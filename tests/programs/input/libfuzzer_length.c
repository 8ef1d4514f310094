// The size is decided where the program looks at it: most sizes of up to 4,096 bytes share a path. Data that is longer
// than the first length is tried, too.
//! args: --tune explore.first-length=4 --tune explore.length-patience=0
//! exits: 0
//! branches: all
//! complete: yes
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1000) {
    if (data[1000] == 'x')
      return 1;
  }
  if (size == 200) {
    if (data[199] == '!')
      abort(); //~ BUG abort
  }
  return size > 4000;
}
