// Bitfields in all positions, and the bytes that hold them.
#include <stdio.h>
#include <string.h>

struct a {
  unsigned x : 1, y : 7, z : 8;
  unsigned w : 20;
};
struct b {
  long big : 45;
  signed small : 3;
  unsigned : 0;
  unsigned char next : 4;
};
struct __attribute__((packed)) c {
  unsigned a : 5;
  unsigned b : 13;
  unsigned long c : 33;
};

static void dump(const void *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    printf("%02x", ((const unsigned char *)p)[i]);
  puts("");
}

int main(void) {
  struct a a;
  struct b b;
  struct c c;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  memset(&c, 0, sizeof c);
  a.x = 1, a.y = 100, a.z = 200, a.w = 0xabcde;
  b.big = -5, b.small = -3, b.next = 9;
  c.a = 17, c.b = 5000, c.c = 0x123456789;
  dump(&a, sizeof a);
  dump(&b, sizeof b);
  dump(&c, sizeof c);
  a.y++, a.w -= 0x10, b.small += 2, b.big *= 3, c.c ^= 0xff;
  printf("%u %u %u %u\n", a.x, a.y, a.z, a.w);
  printf("%ld %d %u\n", (long)b.big, b.small, b.next);
  printf("%u %u %lu\n", c.a, c.b, (unsigned long)c.c);
  return (int)sizeof(struct c);
}
