// Three bytes become four characters, which become the same bytes again.
//! exits: 0 1
#include <klee/klee.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int main(void) {
  unsigned char in[3];
  klee_make_symbolic(in, sizeof in, "in");
  unsigned v = (unsigned)in[0] << 16 | in[1] << 8 | in[2];
  char out[4];
  for (int i = 0; i < 4; i++)
    out[i] = digits[v >> (18 - 6 * i) & 63];
  const char *want = "U2Vj"; // "Sec"
  for (int i = 0; i < 4; i++)
    if (out[i] != want[i])
      return 0;
  klee_assert(in[0] == 'S' && in[1] == 'e' && in[2] == 'c');
  return 1;
}
