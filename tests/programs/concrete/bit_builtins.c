// Builtins on bits.
#include <stdint.h>
#include <stdio.h>

int main(void) {
  static volatile const uint64_t values[] = {1, 2, 0x80, 0xff00, 0x12345678, 0x8000000000000000, 0xfedcba9876543210, 0xffffffffffffffff};
  for (unsigned i = 0; i < 8; i++) {
    uint64_t v = values[i];
    uint32_t w = (uint32_t)(v | 1);
    printf("%d %d %d %d ", __builtin_clzll(v), __builtin_ctzll(v), __builtin_popcountll(v), __builtin_parityll(v));
    printf("%d %d %d %d ", __builtin_clz(w), __builtin_ctz(w), __builtin_popcount(w), __builtin_ffs((int)w));
    printf("%x %x %lx ", __builtin_bswap16((uint16_t)v), __builtin_bswap32(w), (unsigned long)__builtin_bswap64(v));
    printf("%x %lx ", __builtin_bitreverse32(w), (unsigned long)__builtin_bitreverse64(v));
    printf("%x %lx ", __builtin_rotateleft32(w, 13), (unsigned long)__builtin_rotateright64(v, 27));
    printf("%d\n", __builtin_clrsb((int)w));
  }
  return 0;
}
