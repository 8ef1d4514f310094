// UTF-8, UTF-16 and base64.
#include <stdint.h>
#include <stdio.h>

static int encode(uint32_t c, unsigned char *out) {
  if (c < 0x80)
    return out[0] = (unsigned char)c, 1;
  if (c < 0x800)
    return out[0] = (unsigned char)(0xc0 | c >> 6), out[1] = (unsigned char)(0x80 | (c & 63)), 2;
  if (c < 0x10000)
    return out[0] = (unsigned char)(0xe0 | c >> 12), out[1] = (unsigned char)(0x80 | (c >> 6 & 63)), out[2] = (unsigned char)(0x80 | (c & 63)), 3;
  return out[0] = (unsigned char)(0xf0 | c >> 18), out[1] = (unsigned char)(0x80 | (c >> 12 & 63)), out[2] = (unsigned char)(0x80 | (c >> 6 & 63)), out[3] = (unsigned char)(0x80 | (c & 63)), 4;
}

static void base64(const unsigned char *s, int n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < n; i += 3) {
    uint32_t v = (uint32_t)s[i] << 16 | (i + 1 < n ? s[i + 1] << 8 : 0) | (i + 2 < n ? s[i + 2] : 0);
    printf("%c%c%c%c", digits[v >> 18], digits[v >> 12 & 63], i + 1 < n ? digits[v >> 6 & 63] : '=', i + 2 < n ? digits[v & 63] : '=');
  }
  puts("");
}

int main(void) {
  static const uint32_t codes[] = {'A', 0xe9, 0x20ac, 0x1f600, 0x7ff, 0x800, 0xffff, 0x10ffff};
  unsigned char text[40];
  int n = 0;
  for (int i = 0; i < 8; i++) {
    int k = encode(codes[i], text + n);
    printf("U+%04X %d:", codes[i], k);
    for (int j = 0; j < k; j++)
      printf(" %02x", text[n + j]);
    if (codes[i] > 0xffff)
      printf(" / %04x %04x", 0xd800 + ((codes[i] - 0x10000) >> 10), 0xdc00 + (codes[i] & 0x3ff));
    puts("");
    n += k;
  }
  for (int k = 0; k < 5; k++)
    base64(text, n - k);
  return n;
}
