/* A switch with hysteresis: it goes on above one threshold and off below a lower one, over some steps, and counts how often it changes. */
#include "log.h"

#ifndef STEPS
#define STEPS 5
#endif

struct relay {
  int on;
  int changes;
};

static int limit(int value, int low, int high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

static void step(struct relay *relay, int value) {
  int measured = limit(value, 0, 200);
  record(measured);
  if (relay->on) {
    if (measured < 40) {
      relay->on = 0;
      relay->changes++;
    }
  } else if (measured > 60) {
    relay->on = 1;
    relay->changes++;
  }
}

int main(void) {
  signed char values[STEPS];
  struct relay relay = {0, 0};
  SYM(values, "values");
  for (int i = 0; i < STEPS; i++) step(&relay, 2 * values[i]);
  if (relay.changes > 3) sink = 1;
  if (relay.on) sink = 2;
  return 0;
}
