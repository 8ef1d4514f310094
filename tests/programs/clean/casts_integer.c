// Every integer conversion, checked against arithmetic that does the same.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  unsigned char u8 = (unsigned char)x;
  signed char s8 = (signed char)x;
  unsigned short u16 = (unsigned short)x;
  short s16 = (short)x;
  assert(u8 == (x & 0xff));
  assert(s8 == (int)(((unsigned)x & 0xff) ^ 0x80) - 0x80);
  assert(u16 == (x & 0xffff));
  assert(s16 == (int)(((unsigned)x & 0xffff) ^ 0x8000) - 0x8000);
  long s64 = x;
  unsigned long u64 = (unsigned)x;
  assert((u64 == (unsigned long)s64) == (x >= 0));
  _Bool b = x;
  assert(b == (x != 0));
  return 0;
}
