// Where there is not enough memory, `errno` says so; an alignment must be a power of two.
//! exits: 0 1 2
#include <errno.h>
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned bits = klee_range(2, 5, "bits");
  void *block = 0;
  int error = posix_memalign(&block, (size_t)1 << bits, 8);
  if (error)
    return bits == 2 && error == EINVAL && !block ? 1 : 9;
  volatile size_t all = SIZE_MAX / 2;
  errno = 0;
  void *none = realloc(block, bits == 3 ? all : 8);
  if (!none) {
    int reason = errno;
    errno = 0;
    free(block);
    void *volatile many = calloc(all, 8);
    return reason == ENOMEM && !many && errno == ENOMEM ? 2 : 8;
  }
  free(none);
  return errno;
}
