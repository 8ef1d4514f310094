// Four letters must match one after the other; each mismatch leads to a loop that the first path covers.
#include <assert.h>
#include <klee/klee.h>

static int waste(const unsigned char *bytes) {
  int large = 0;
  for (int i = 0; i < 10; i++)
    if (bytes[i] > 100)
      large++;
  return large;
}

int main(void) {
  unsigned char key[4], bytes[10];
  klee_make_symbolic(key, sizeof key, "key");
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  if (key[0] != 'o')
    return waste(bytes);
  if (key[1] != 'p')
    return waste(bytes);
  if (key[2] != 'e')
    return waste(bytes);
  if (key[3] != 'n')
    return waste(bytes);
  assert(0);
}
