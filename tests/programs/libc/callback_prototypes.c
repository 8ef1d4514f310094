// Callbacks of the C library whose types are others than it expects.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

// `long` where `int` is expected: the low half counts.
static long by_value(const char *a, const char *b) { return *a - *b; }

// A parameter that is not there is not missed by the caller.
static long ended(void) { return 1; }

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  qsort(text, 3, 1, (int (*)(const void *, const void *))by_value);
  if (text[0] > text[1] || text[1] > text[2])
    return 1;
  char *found = bsearch(&text[1], text, 3, 1, (int (*)(const void *, const void *))by_value);
  if (!found || *found != text[1])
    return 2;
  atexit((void (*)(void))ended);
  return 0;
}
