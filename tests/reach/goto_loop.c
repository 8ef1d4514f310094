// INPUT 6
#include "target.h"
int main(void) {
  int n = in(), c = 0;
  if (n > 9)
    return 0;
again:
  if (n > 0) {
    c += n--;
    goto again;
  }
  if (c == 21)
    target();
  return 0;
}
