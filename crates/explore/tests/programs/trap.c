// The bug is one decision from the start, but the other side of the decision is a loop with a path for every set of bits.
#include <assert.h>
#include <klee/klee.h>

static int count(unsigned bits) {
  int set = 0;
  for (int i = 0; i < 12; i++)
    if (bits >> i & 1)
      set++;
  return set;
}

static void check(unsigned char key) {
  if (key == 'k')
    assert(0);
}

int main(void) {
  unsigned char key;
  unsigned short bits;
  klee_make_symbolic(&key, sizeof key, "key");
  klee_make_symbolic(&bits, sizeof bits, "bits");
  check(key);
  return count(bits);
}
