// Checked arithmetic on every width.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  static volatile const int64_t v[] = {0, 1, -1, 100, -128, 40000, -2147483648, 2147483647, 4294967295, INT64_MAX, INT64_MIN};
  unsigned flags = 0, hash = 0;
  for (int i = 0; i < 11; i++) {
    for (int j = 0; j < 11; j++) {
      int8_t a;
      uint16_t b;
      int32_t c;
      uint32_t d;
      int64_t e;
      uint64_t f;
      flags = __builtin_add_overflow(v[i], v[j], &a) | __builtin_sub_overflow(v[i], v[j], &b) << 1;
      flags |= __builtin_mul_overflow((int)v[i], (int)v[j], &c) << 2 | __builtin_add_overflow((unsigned)v[i], (unsigned)v[j], &d) << 3;
      flags |= __builtin_sub_overflow(v[i], v[j], &e) << 4 | __builtin_mul_overflow((uint64_t)v[i], (uint64_t)v[j], &f) << 5;
      hash = hash * 31 + flags + (uint8_t)a + b + (uint32_t)c + d + (uint32_t)e + (uint32_t)f;
      printf("%02x ", flags);
    }
    puts("");
  }
  printf("%u\n", hash);
  return (int)(hash & 63);
}
