// Atomic operations on several widths.
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
  atomic_uchar c = 250;
  atomic_short s = -5;
  atomic_long l = 1;
  _Atomic unsigned u = 0xff;
  atomic_flag flag = ATOMIC_FLAG_INIT;
  for (int i = 0; i < 10; i++) {
    c++;
    atomic_fetch_sub(&s, 3);
    l *= 3;
    u ^= 1u << i;
  }
  printf("%d %d %ld %u\n", c, s, l, u);
  long expected = 5;
  printf("%d %ld\n", atomic_compare_exchange_strong(&l, &expected, 6), expected);
  printf("%d %ld\n", atomic_compare_exchange_weak(&l, &expected, 6), l);
  printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
  int plain = 7;
  printf("%d ", __atomic_exchange_n(&plain, 9, __ATOMIC_ACQ_REL));
  printf("%d ", __sync_fetch_and_add(&plain, 1));
  printf("%d ", __sync_val_compare_and_swap(&plain, 10, 20));
  printf("%d\n", __atomic_load_n(&plain, __ATOMIC_SEQ_CST));
  atomic_thread_fence(memory_order_release);
  _Atomic double d = 1.5;
  d += 2;
  printf("%g\n", d);
  return plain;
}
