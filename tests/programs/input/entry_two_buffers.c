// Two pointers point to two objects.
//! args: --entry same --non-null
//! exits: 0
#include <assert.h>

volatile int equal;

void same(unsigned char *a, unsigned char *b) {
  a[0] = 1;
  b[0] = 2;
  assert(a[0] == 1);
  if (a[1] == b[1])
    equal = 1;
}
