// INPUT 11
#include "target.h"
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 20)
    return 0;
  int c = 0;
  unsigned k = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      c++;
    case 3:
      c++;
    case 2:
      c++;
    case 1:
      c++;
    } while (--k > 0);
  }
  if (c == 11)
    target();
  return 0;
}
