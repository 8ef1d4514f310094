// Card numbers of three digits with their check digit.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int d = s[i] - '0';
    if (d < 0 || d > 9)
      return 0;
    if (i % 2 == 1) {
      d *= 2;
      if (d > 9)
        d -= 9;
    }
    sum += d;
  }
  if (sum % 10 == 0)
    return 2;
  return 1;
}
