// Output to both streams does not change what the program decides.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  fputs("to standard output\n", stdout);
  fprintf(stderr, "to standard error: %d\n", 5);
  putchar('x');
  fflush(stdout);
  if (c == '\n')
    return 1;
  return 0;
}
