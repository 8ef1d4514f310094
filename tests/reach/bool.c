// INPUT 256
#include "target.h"
#include <stdbool.h>
int main(void) {
  int x = in();
  bool b = x;
  unsigned char c = (unsigned char)x;
  if (b && c == 0 && b + b == 2)
    target();
  return 0;
}
