// INPUT 7
#include "target.h"
#include <stdlib.h>
#include <string.h>
int main(void) {
  char k[2] = {(char)('0' + (in() & 7)), 0};
  setenv("K", k, 1);
  char *v = getenv("K");
  if (v && !strcmp(v, "7"))
    target();
  return 0;
}
