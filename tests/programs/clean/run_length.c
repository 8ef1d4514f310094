// Run-length coding and back.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  unsigned char in[4], packed[8], out[4];
  klee_make_symbolic(in, sizeof in, "in");
  int n = 0;
  for (int i = 0; i < 4;) {
    int run = 1;
    while (i + run < 4 && in[i + run] == in[i])
      run++;
    packed[n++] = (unsigned char)run;
    packed[n++] = in[i];
    i += run;
  }
  int m = 0;
  for (int i = 0; i < n; i += 2)
    for (int j = 0; j < packed[i]; j++)
      out[m++] = packed[i + 1];
  klee_assert(m == 4);
  for (int i = 0; i < 4; i++)
    klee_assert(in[i] == out[i]);
  return 0;
}
