// A path that decides for ever.
#include <klee/klee.h>
int main(void) {
  for (;;)
    if (klee_int("x") == 7) return 1;
}
