// Programs of SV-COMP often declare what they use themselves, and abort where an assumption fails.
//! exits: 0
//! paths: 2
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void assume_abort_if_not(int cond) {
  if (!cond) {
    abort(); //~ BUG abort
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assume_abort_if_not(x >= 0);
  return 0;
}
