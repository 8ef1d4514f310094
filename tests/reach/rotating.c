// INPUT
#include "target.h"
int main(void) {
  int p = 1, q = 0, r = 0;
  for (int i = 0; i < 100; i++) {
    if (r) {
      target();
      return 0;
    }
    int t = r;
    r = q;
    q = p;
    p = t;
  }
  return 0;
}
