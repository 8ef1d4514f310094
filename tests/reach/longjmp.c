// INPUT 5
#include "target.h"
#include <setjmp.h>
static jmp_buf b;
static int v;
static void deep(int n) {
  if (n == 5)
    longjmp(b, 7);
}
int main(void) {
  int r = setjmp(b);
  if (r == 7) {
    target();
    return 0;
  }
  deep(in());
  return v;
}
