// INPUT -7
#include "target.h"
int main(void) {
  int x = in();
  if (x < 0 && x / 2 == -3 && x % 2 == -1)
    target();
  return 0;
}
