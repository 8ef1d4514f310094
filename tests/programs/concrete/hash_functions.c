// CRC-32, Adler-32, FNV, djb2 and MurmurHash of some texts.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t crc32(const char *s) {
  uint32_t c = ~0u;
  for (; *s; s++) {
    c ^= (unsigned char)*s;
    for (int i = 0; i < 8; i++)
      c = c >> 1 ^ (0xedb88320 & -(c & 1));
  }
  return ~c;
}
static uint32_t adler(const char *s) {
  uint32_t a = 1, b = 0;
  for (; *s; s++)
    a = (a + (unsigned char)*s) % 65521, b = (b + a) % 65521;
  return b << 16 | a;
}
static uint64_t fnv(const char *s) {
  uint64_t h = 0xcbf29ce484222325;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 0x100000001b3;
  return h;
}
static uint32_t murmur(const char *s, size_t n) {
  uint32_t h = 42;
  for (; n >= 4; n -= 4, s += 4) {
    uint32_t k;
    memcpy(&k, s, 4);
    k *= 0xcc9e2d51, k = k << 15 | k >> 17, k *= 0x1b873593;
    h ^= k, h = h << 13 | h >> 19, h = h * 5 + 0xe6546b64;
  }
  h ^= (uint32_t)n, h ^= h >> 16, h *= 0x85ebca6b, h ^= h >> 13;
  return h;
}

int main(void) {
  static const char *const texts[] = {"", "a", "hello world", "The quick brown fox jumps over the lazy dog"};
  for (int i = 0; i < 4; i++) {
    const char *s = texts[i];
    printf("%08x %08x %016lx %08x\n", crc32(s), adler(s), (unsigned long)fnv(s), murmur(s, strlen(s)));
  }
  return (int)(crc32("exit") & 127);
}
