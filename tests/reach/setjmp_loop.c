// INPUT 3
#include "target.h"
#include <setjmp.h>
static jmp_buf b;
int main(void) {
  volatile int n = 0;
  int k = in();
  setjmp(b);
  n++;
  if (n == 3 && k == 3) {
    target();
    return 0;
  }
  if (n < 5)
    longjmp(b, 1);
  return 0;
}
