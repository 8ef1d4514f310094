// One call of each typed function of SV-COMP.
//! exits: 0 1 2 3 4 5 6 7 8
#include <svcomp.h>

int main(void) {
  if (__VERIFIER_nondet_bool())
    return 1;
  if (__VERIFIER_nondet_char() == 'q')
    return 2;
  if (__VERIFIER_nondet_uchar() == 0xfe)
    return 3;
  if (__VERIFIER_nondet_short() == -12345)
    return 4;
  if (__VERIFIER_nondet_ushort() == 54321)
    return 5;
  if (__VERIFIER_nondet_uint() == 0xcafebabe)
    return 6;
  if (__VERIFIER_nondet_long() == -1)
    return 7;
  if (__VERIFIER_nondet_ulong() == 0x8000000000000000)
    return 8;
  return 0;
}
