// INPUT 3
#include "target.h"
static int left, seen;
int main(void) {
  left = in();
  for (int i = 0; i < 4; i++) {
    do {
      left--;
    } while (left > 2);
    do {
      seen++;
    } while (seen < 3);
    if (left == 1 && seen == 4)
      target();
  }
  return 0;
}
