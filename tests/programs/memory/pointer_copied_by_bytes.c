// The bytes of a pointer are copied one by one: from a table at a symbolic index, and only so many of them as the input says.
//! exits: 0 1 2 3 4
#include <klee/klee.h>

static int a[2] = {1, 0}, b[2] = {2, 0}, c[2] = {3, 0}, d[2] = {4, 0}, e[2] = {5, 0}, f[2] = {6, 0};
static int *const table[] = {a, b, c, d, e, f};

static void copy(void *to, const void *from, unsigned len) {
  volatile unsigned char *t = to;
  const volatile unsigned char *s = from;
  for (unsigned k = 0; k < len; k++)
    t[k] = s[k];
}

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 6)
    return 0;
  int *p;
  copy(&p, &table[i], sizeof p);
  p[1] = 7;
  if (a[1] + b[1] + c[1] + d[1] + e[1] + f[1] != 7)
    return 9;
  if (a[1])
    return 1;
  if (b[1])
    return 2;
  return e[1] ? 3 : 4;
}
