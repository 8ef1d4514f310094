/* What a test program keeps is compared with what the natively compiled program keeps. */
#include <stdio.h>
#include <string.h>

unsigned long out[8192];
int outs;

static void keep(unsigned long value) { out[outs++ & 8191] = value; }

/* Not-a-number has many forms, which mean the same. */
static void keep_double(double value) {
  unsigned long bits;
  memcpy(&bits, &value, 8);
  keep(value != value ? 0x7ff8dead : bits);
}

void run(void);

int main(void) {
  run();
  for (int i = 0; i < outs && i < 8192; i++) printf("%lx\n", out[i]);
  return 0;
}
