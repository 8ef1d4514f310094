// A word is read at any byte offset.
//! exits: 0 1
//! paths[O0]: 3
#include <klee/klee.h>
#include <string.h>

static const unsigned char bytes[9] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 0x01};

int main(void) {
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  if (at > 5)
    return 0;
  unsigned v;
  memcpy(&v, bytes + at, sizeof v);
  if (v == 0xdcba9876)
    return 1;
  return 0;
}
