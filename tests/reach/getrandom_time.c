// INPUT
#include "target.h"
#include <time.h>
int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  b.tv_nsec = -1;
  clock_gettime(CLOCK_MONOTONIC, &b);
  if (b.tv_nsec >= 0)
    target();
  return 0;
}
