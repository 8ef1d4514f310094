// INPUT 1
#include "target.h"
#include <string.h>
static int n;
size_t strlen(const char *s) {
  n++;
  (void)s;
  return 42;
}
int main(void) {
  char b[2] = {(char)in(), 0};
  if (b[0] == 1 && strlen(b) == 42 && n == 1)
    target();
  return 0;
}
