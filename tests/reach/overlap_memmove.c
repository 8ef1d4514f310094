// INPUT 7
#include "target.h"
#include <string.h>
int main(void) {
  char b[8] = "abcdefg";
  b[0] = (char)in();
  memmove(b + 1, b, 6);
  memmove(b + 2, b + 1, 5);
  if (b[2] == 7 && b[0] == 7 && b[1] == 7)
    target();
  return 0;
}
