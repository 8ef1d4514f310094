// INPUT 5
#include "target.h"
#include <stdatomic.h>
static _Atomic int a;
int main(void) {
  int e = 0;
  a = in();
  e = 5;
  if (atomic_compare_exchange_strong(&a, &e, 9) && a == 9) {
    atomic_fetch_add(&a, 1);
    if (a == 10)
      target();
  }
  return 0;
}
