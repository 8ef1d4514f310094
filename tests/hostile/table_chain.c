// Tables that are looked up through tables.
#include <klee/klee.h>
static unsigned char table[256];
int main(void) {
  unsigned char x[8], y = 0;
  klee_make_symbolic(x, sizeof x, "x");
  for (int i = 0; i < 256; i++) table[i] = (unsigned char)(i * 167 + 13);
  for (int round = 0; round < 40; round++)
    for (int i = 0; i < 8; i++) y = table[(unsigned char)(y + x[i] + table[x[(i + 1) & 7]])];
  return y == 77 ? 1 : y == 78 ? 2 : 0;
}
