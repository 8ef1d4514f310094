// Almost any input has enough bits set, but not the input of zeros and those close to it.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned bits;
  int set = 0;
  klee_make_symbolic(&bits, sizeof bits, "bits");
  for (int i = 0; i < 32; i++)
    if (bits >> i & 1)
      set++;
  assert(set < 12);
  return 0;
}
