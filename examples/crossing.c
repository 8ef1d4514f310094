/* A crossing with two traffic lights, in the manner of SV-COMP: reach_error marks what must never happen.
 *
 *     secateur run examples/crossing.c
 *     secateur run examples/crossing.c --format xml      (a test suite for Test-Comp's validator)
 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

enum light { RED, YELLOW, GREEN };

static enum light main_road = GREEN, side_road = RED;

/* What happens in the next second. */
enum event { CAR_WAITS, TIMER, EMERGENCY };

static void handle(enum event event) {
  switch (event) {
    case CAR_WAITS:
      if (main_road == GREEN) main_road = YELLOW;
      break;
    case TIMER:
      if (main_road == YELLOW) {
        main_road = RED;
        side_road = GREEN;
      } else if (side_road == GREEN) {
        side_road = YELLOW;
      } else if (side_road == YELLOW) {
        side_road = RED;
        main_road = GREEN;
      }
      break;
    case EMERGENCY: /* the main road is for the fire brigade */
      main_road = GREEN;
      if (side_road == GREEN) side_road = RED;
      break;
  }
}

int main(void) {
  for (int second = 0; second < 5; second++) {
    unsigned char event = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(event <= EMERGENCY);
    handle(event);
    if (main_road != RED && side_road != RED) reach_error();
  }
  return 0;
}
