// Text of more than 16 MiB is not cut off in silence.
//! unsupported: a printf of more than 16 MiB
#include <stdio.h>
#include <string.h>

static char text[(16 << 20) + 2];

int main(void) {
  memset(text, 'a', sizeof text - 1);
  return snprintf(NULL, 0, "%s", text) == sizeof text - 1;
}
