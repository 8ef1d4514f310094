// INPUT 1
#include "target.h"
#include <setjmp.h>
static jmp_buf b;
static void (*go)(jmp_buf, int) = (void (*)(jmp_buf, int))longjmp;
int main(void) {
  if (setjmp(b) == 4) {
    target();
    return 0;
  }
  if (in() == 1)
    go(b, 4);
  return 0;
}
