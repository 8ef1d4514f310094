// A hundred megabytes made symbolic at once.
#include <klee/klee.h>
static char large[100 << 20];
int main(void) {
  klee_make_symbolic(large, sizeof large, "large");
  return large[12345] == 'x';
}
