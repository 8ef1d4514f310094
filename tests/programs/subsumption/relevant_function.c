// Paths that differ only in which function a pointer means: one of them fails.
//! exits: 0 1
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

__attribute__((noinline)) int safe(int value) { return value; }

__attribute__((noinline)) int unsafe(int value) {
  assert(value < 2); //~ BUG assertion
  return value;
}

int (*volatile chosen)(int) = safe;

int main(void) {
  int value = 0;
  if (__VERIFIER_nondet_bool())
    chosen = unsafe;
  for (int i = 0; i < 2; i++) {
    if (__VERIFIER_nondet_bool())
      value++;
  }
  return chosen(value) > 1;
}
