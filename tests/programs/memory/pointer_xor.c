// Pointers that are kept encoded, by a complement or an exclusive or, and decoded after one of them was chosen.
//! exits: 1 2 3
#include <klee/klee.h>
#include <stdint.h>

static int a = 1, b = 2, c = 3;

int main(void) {
  volatile uintptr_t key = 0x5deece66d1234567;
  uintptr_t encoded[3] = {(uintptr_t)&a ^ key, (uintptr_t)&b ^ key, (uintptr_t)&c ^ key};
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 3);
  int *p = (int *)(encoded[i] ^ key);
  if (*p == 1)
    return 1;
  return *p == 2 ? 2 : 3;
}
