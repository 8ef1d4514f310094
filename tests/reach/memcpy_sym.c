// INPUT 2,3
#include "target.h"
#include <string.h>
int main(void) {
  char s[8] = "abcdefg", d[8] = "1234567";
  unsigned o = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  if (o > 3 || n > 4)
    return 0;
  memcpy(d + o, s, n);
  if (d[1] == '2' && d[2] == 'a' && d[4] == 'c' && d[5] == '6')
    target();
  return 0;
}
