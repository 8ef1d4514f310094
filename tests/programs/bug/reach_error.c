// The error function of SV-COMP, declared but not defined by the program.
//! exits: 0
//! paths: 2
//! branches: all
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 0x7ffffffe)
    reach_error(); //~ BUG reach-error
  return 0;
}
