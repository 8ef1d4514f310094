// INPUT 6
#include "target.h"
#include <stdatomic.h>
static _Atomic int a;
int main(void) {
  int e = 5;
  a = in();
  if (!atomic_compare_exchange_strong(&a, &e, 9) && e == 6)
    target();
  return 0;
}
