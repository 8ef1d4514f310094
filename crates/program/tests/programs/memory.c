#include "out.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct big { int a[20]; };
struct small { short x, y; char c; };
struct fl { float a, b, c; };
struct mix { long a; double b; };
struct nested { struct small s[2]; struct mix m; union { int i; float f; char c[4]; } u; };

static struct big f_big(struct big b, int i) { b.a[i]++; return b; }
static struct small f_small(struct small s) { s.x += s.y; s.c ^= 7; return s; }
static struct fl f_fl(struct fl s) { s.a += s.b * s.c; return s; }
static struct mix f_mix(struct mix m) { m.b += m.a; return m; }
static struct nested f_nested(struct nested n) { n.s[1] = f_small(n.s[0]); n.u.f *= 2; return n; }

struct list { struct list *next; int v; } n3 = {0, 3}, n2 = {&n3, 2}, n1 = {&n2, 1};
static const char *const names[] = {"one", "two", "three"};
static int matrix[3][4] = {{1, 2, 3, 4}, {5, 6}, {[2] = 9}};
static int *into = &matrix[1][1];
static int (*table[2])(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*table[2])(int, int) = {add, sub};
static _Thread_local int tls = 4;
static atomic_int counter = 3;
static _Atomic long wide_counter;

static const char *word(int i) {
  switch (i) {
  case 0: return "zero";
  case 1: return "uno";
  case 2: return "dos";
  case 3: return "tres";
  case 4: return "quatro";
  case 5: return "cinco";
  default: return "?";
  }
}

static int vla(int n) {
  int a[n], s = 0;
  for (int i = 0; i < n; i++) a[i] = i * i;
  for (int i = 0; i < n; i++) {
    char b[i + 1];
    memset(b, i, sizeof b);
    s += b[i] + a[i];
  }
  return s;
}

static int jumps(int x) {
  static void *const labels[] = {&&a, &&b, &&c};
  goto *labels[x % 3];
a:
  x++;
  if (x < 10) goto *labels[1];
  return x;
b:
  x += 2;
  if (x < 20) goto *labels[2];
  return x;
c:
  return x * 3;
}

static int atomics(int x) {
  int expected = 3, other = 77;
  int n = atomic_fetch_add(&counter, x);
  n = n * 31 + atomic_compare_exchange_strong(&counter, &expected, 9);
  n = n * 31 + atomic_compare_exchange_strong(&counter, &other, 10) + expected + other;
  wide_counter += 5;
  n = n * 31 + atomic_fetch_xor(&counter, 12) + atomic_fetch_and(&counter, 0xff) + atomic_exchange(&counter, x & 15);
  n = n * 31 + __atomic_fetch_nand(&tls, 3, 0) + __sync_fetch_and_min(&tls, x) + __sync_fetch_and_umax((unsigned *)&tls, 2);
  return n + (int)wide_counter + tls;
}

static int swap_loop(int n) {
  int a = 1, b = 2, c = 3;
  while (n-- > 0) {
    int t = a;
    a = b, b = c, c = t + (n & 1);
  }
  return a * 100 + b * 10 + c;
}

static int hidden(int x) {
  int y;
  __asm__ volatile("" : "+r"(x));
  __asm__ volatile("" ::: "memory");
  __asm__("" : "=r"(y) : "0"(x));
  return y;
}

void run(void) {
  struct big b = {{1}};
  struct nested n = {{{1, 2, 3}}, {4, 5.5}, {.f = 1.25f}};
  for (int i = 0; i < 20; i++) {
    b = f_big(b, i % 7), n = f_nested(n);
    n.m = f_mix(n.m);
    struct fl f = f_fl((struct fl){i, 2, 3});
    keep(b.a[3]), keep(n.s[1].x), keep(n.s[1].c), keep(n.u.i), keep_double(n.m.b), keep_double(f.a);
    keep(vla(i)), keep(jumps(i)), keep(atomics(i)), keep(swap_loop(i)), keep(hidden(i)), keep(table[i & 1](i, 3));
    keep(matrix[i % 3][i & 3]), keep(into[i & 3]), keep(names[i % 3][1]), keep(word(i % 8)[i & 1]);
    keep((uintptr_t)&matrix[2] - (uintptr_t)matrix);
  }
  for (struct list *l = &n1; l; l = l->next) keep(l->v);
  char *p = malloc(100), *q = malloc(100);
  for (int i = 0; i < 100; i++) p[i] = i * 3;
  memcpy(q, p, 100), memmove(q + 5, q, 60), memset(q + 90, 'x', 10);
  long hash = 0;
  for (int i = 0; i < 100; i++) hash = hash * 31 + q[i];
  keep(hash), keep(p < p + 3), keep(q + 50 - q);
  free(p), free(q);
}
