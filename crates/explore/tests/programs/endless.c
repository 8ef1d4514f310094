// An infinite tree of paths, and a bug outside of the part that grows.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char key;
  klee_make_symbolic(&key, sizeof key, "key");
  if (key == 'k')
    assert(0);
  for (;;) {
    unsigned char go_on;
    klee_make_symbolic(&go_on, sizeof go_on, "go_on");
    if (!go_on)
      break;
  }
  return 0;
}
