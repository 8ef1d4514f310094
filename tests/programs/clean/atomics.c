// Atomic operations with the meaning that they have in one thread.
//! exits: 0 1
#include <klee/klee.h>
#include <stdatomic.h>

int main(void) {
  int x = klee_int("x");
  atomic_int a = 10;
  atomic_uint u = 0xf0;
  int old = atomic_fetch_add(&a, 5);
  if (old != 10 || atomic_load(&a) != 15)
    return 2;
  int expected = x;
  if (atomic_compare_exchange_strong(&a, &expected, 99))
    return atomic_load(&a) == 99 && x == 15 ? 1 : 3;
  if (expected != 15)
    return 4;
  atomic_fetch_or(&u, 0x0f);
  atomic_fetch_xor(&u, 0xff);
  atomic_fetch_sub(&u, 1);
  if (atomic_exchange(&u, 7) != 0xffffffff || atomic_fetch_and(&u, 3) != 7)
    return 5;
  atomic_thread_fence(memory_order_seq_cst);
  unsigned plain = 3;
  if (__atomic_fetch_nand(&plain, 1, __ATOMIC_SEQ_CST) != 3 || plain != ~1u)
    return 6;
  return 0;
}
