// A handshake that lets through whoever fails twice and then repeats the first step.
//! exits: 0
_Bool __VERIFIER_nondet_bool(void);
void reach_error(void);

enum state { GREETING, KEYS, PASSWORD, INSIDE };

volatile enum state state = GREETING;
volatile int knows_password, failures;

int main(void) {
  for (int round = 0; round < 7; round++) {
    switch (state) {
    case GREETING:
      state = failures == 2 ? INSIDE : KEYS;
      break;
    case KEYS:
      if (__VERIFIER_nondet_bool())
        state = PASSWORD;
      break;
    case PASSWORD:
      if (__VERIFIER_nondet_bool()) {
        knows_password = 1;
        state = INSIDE;
      } else {
        failures++;
        state = failures == 2 ? GREETING : KEYS;
      }
      break;
    case INSIDE:
      if (!knows_password)
        reach_error(); //~ BUG reach-error
      break;
    }
  }
  return 0;
}
