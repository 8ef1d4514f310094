// The commonest shape of verification tasks: a machine that reads input for ever.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int state = 0;
  while (1) {
    int in = __VERIFIER_nondet_int();
    if (in == 1 && state == 0) state = 1;
    else if (in == 2 && state == 1) state = 2;
    else if (in == 3) state = 0;
    if (state == 9) reach_error();
  }
}
