/* For the programs of this folder: where they get input from, and the function that is to be reached. */
#include <stddef.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
char __VERIFIER_nondet_char(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

static inline int in(void) {
  return __VERIFIER_nondet_int();
}

void target(void);
#ifndef NATIVE
__attribute__((noinline)) void target(void) {}
#endif
