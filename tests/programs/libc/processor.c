// A processor without features, whose clock stands still: native runs get the same answers.
//! exits: 0 1
//! complete: yes
#include <cpuid.h>
#include <klee/klee.h>

int main(void) {
  unsigned low = 1, high = 1, a = 1, b, c, d;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  if (low != 0 || high != 0 || __builtin_ia32_rdtsc() != 0) return 2;
  if (__get_cpuid(1, &a, &b, &c, &d)) return 3;
  if (__get_cpuid_max(0, 0) != 0) return 4;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
  if (klee_int("x") == 5 + (int)(a | b | c | d)) return 1;
  return 0;
}
