// The C library searches for a symbolic key.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

static const short table[] = {-300, -5, 0, 7, 1234};

static int compare(const void *key, const void *item) { return *(const short *)key - *(const short *)item; }

int main(void) {
  short key;
  klee_make_symbolic(&key, sizeof key, "key");
  short *hit = bsearch(&key, table, 5, sizeof table[0], compare);
  if (!hit)
    return 0;
  klee_assert(*hit == key);
  return 1;
}
