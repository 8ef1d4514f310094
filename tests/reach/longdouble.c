// INPUT 3
#include "target.h"
int main(void) {
  long double x = in();
  x = x / 3.0L * 1e400L;
  if (x > 1e308L * 10 && x == 1e400L)
    target();
  return 0;
}
