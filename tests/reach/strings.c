// INPUT 104,105
#include "target.h"
#include <string.h>
int main(void) {
  char b[8];
  memset(b, 0, 8);
  b[0] = __VERIFIER_nondet_char();
  b[1] = __VERIFIER_nondet_char();
  if (!strcmp(b, "hi") && strlen(b) == 2 && strchr(b, 'i') == b + 1)
    target();
  return 0;
}
