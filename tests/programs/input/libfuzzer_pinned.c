// The program copies its data, so each size is a path of its own; longer ones than at first are still tried.
//! args: --max-len 40 --tune explore.first-length=4 --tune explore.length-patience=4
//! paths: 41
//! exits: 0
//! complete: yes
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

char *kept;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *copy = malloc(size + 1);
  if (copy == NULL)
    return 0;
  memcpy(copy, data, size);
  if (size > 37)
    kept = copy;
  else
    free(copy);
  return 0;
}
