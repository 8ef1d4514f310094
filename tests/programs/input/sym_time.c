// Symbolic clocks: any date, but time does not go back.
//! args: --sym-time
//! exits-some: 0 1 2
//! complete: yes
#include <sys/time.h>
#include <time.h>

int main(void) {
  time_t start = time(NULL);
  struct timespec later;
  if (clock_gettime(CLOCK_REALTIME, &later) != 0 || later.tv_sec < start || later.tv_nsec > 999999999)
    return 20;
  if (later.tv_sec - start > 60)
    return 1;
  return start > 1900000000 ? 2 : 0;
}
