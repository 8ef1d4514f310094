// Paths that differ only in a bound that a later access depends on: the state of a shorter one says nothing of a longer.
//! exits: 0
_Bool __VERIFIER_nondet_bool(void);

volatile char small[3];

__attribute__((noinline)) void clear(int length) {
  for (int i = 0; i < length; i++)
    small[i] = 0; //~ BUG out-of-bounds-write
}

int main(void) {
  int length = 0;
  for (int i = 0; i < 4; i++) {
    if (__VERIFIER_nondet_bool())
      length++;
  }
  clear(length);
  return 0;
}
