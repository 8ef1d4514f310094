// Switches of every form.
#include <stdio.h>

static int dense(int x) {
  switch (x) {
  case 0: return 5;
  case 1: return 3;
  case 2: return 8;
  case 3: return 1;
  case 4: return 9;
  case 5: return 2;
  }
  return -1;
}
static int sparse(long x) {
  switch (x) {
  case -5000000000: return 1;
  case 7: return 2;
  case 1000000: return 3;
  case 0x7fffffffffffffff: return 4;
  default: return 0;
  }
}
static int ranges(unsigned char c) {
  switch (c) {
  case 'a' ... 'f': return c - 'a' + 10;
  case '0' ... '9': return c - '0';
  case 200 ... 255: return 99;
  }
  return -1;
}
static int falling(int x) {
  int r = 0;
  switch (x) {
  case 4: r += 1000; /* fall through */
  case 3: r += 100; /* fall through */
  default: r += 10; /* fall through */
  case 1: r += 1;
  }
  return r;
}

int main(void) {
  for (volatile int i = -2; i < 8; i++)
    printf("%d %d\n", dense(i), falling(i));
  printf("%d %d %d %d %d\n", sparse(-5000000000), sparse(7), sparse(1000000), sparse(0x7fffffffffffffff), sparse(0));
  for (volatile int c = 0; c < 256; c += 5)
    printf("%d ", ranges((unsigned char)c));
  puts("");
  return dense(4);
}
