/* For the programs of this folder: where they get input from, and functions that are to be reached. */
#include <stddef.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);
double __VERIFIER_nondet_double(void);
void klee_make_symbolic(void *, size_t, const char *);

#define GOAL(name) \
  void name(void); \
  void name(void) {}
