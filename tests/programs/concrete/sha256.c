// SHA-256 of two messages.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], h0[8];

static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void constants(void) {
  int n = 0;
  for (uint32_t p = 2; n < 64; p++) {
    int prime = 1;
    for (uint32_t d = 2; d * d <= p; d++)
      prime &= p % d != 0;
    if (!prime)
      continue;
    __uint128_t target = (__uint128_t)p << 96, root = 0, square = (__uint128_t)p << 64;
    for (int b = 34; b >= 0; b--) {
      __uint128_t t = root | (__uint128_t)1 << b;
      if (t * t * t <= target)
        root = t;
    }
    k[n] = (uint32_t)root;
    for (root = 0; n < 8 && square;) {
      for (int b = 35; b >= 0; b--)
        if ((root | (__uint128_t)1 << b) * (root | (__uint128_t)1 << b) <= square)
          root |= (__uint128_t)1 << b;
      h0[n] = (uint32_t)root;
      break;
    }
    n++;
  }
}

static void hash(const char *s) {
  unsigned char block[64] = {0};
  uint32_t w[64], h[8], v[8];
  size_t n = strlen(s);
  memcpy(block, s, n);
  block[n] = 0x80, block[62] = (unsigned char)(n * 8 >> 8), block[63] = (unsigned char)(n * 8);
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + w[i - 7] + (ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3) + (ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(h, h0, sizeof h);
  memcpy(v, h, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = v[7] + (ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
    uint32_t t2 = (ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1, v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++)
    printf("%08x", h[i] + v[i]);
  puts("");
}

int main(void) {
  constants();
  hash("");
  hash("abc");
  return 0;
}
