// INPUT 1
#include "target.h"
#include <ucontext.h>
static ucontext_t m, c;
static char stack[65536];
static void co(void) {
  target();
}
int main(void) {
  if (in() != 1)
    return 0;
  getcontext(&c);
  c.uc_stack.ss_sp = stack;
  c.uc_stack.ss_size = sizeof stack;
  c.uc_link = &m;
  makecontext(&c, co, 0);
  swapcontext(&m, &c);
  return 0;
}
