/* The watch over a boiler: readings of a pressure sensor are made plausible, compared with two limits, and raise an alarm if they stay high. */
#include "log.h"

#ifndef READINGS
#define READINGS 4
#endif

#define LOWEST 5
#define WARNING 120
#define DANGER 180

enum action { NOTHING, WARN, OPEN_VALVE, SHUT_DOWN };

/* A reading out of the sensor's range is replaced by the last good one. */
static int plausible(unsigned char reading, int last) {
  if (reading < LOWEST) return last;
  if (reading == 255) return last;
  return reading;
}

static enum action judge(int pressure, int high_for) {
  if (pressure < WARNING) return NOTHING;
  if (pressure < DANGER) return WARN;
  return high_for >= 2 ? SHUT_DOWN : OPEN_VALVE;
}

static void watch(const unsigned char *readings) {
  int last = 100, high_for = 0;
  for (int i = 0; i < READINGS; i++) {
    last = plausible(readings[i], last);
    record(last);
    switch (judge(last, high_for)) {
      case NOTHING: high_for = 0; break;
      case WARN: sink = 1; break;
      case OPEN_VALVE: high_for++; sink = 2; break;
      default: sink = 3; return;
    }
  }
}

int main(void) {
  unsigned char readings[READINGS];
  SYM(readings, "readings");
  watch(readings);
  return 0;
}
