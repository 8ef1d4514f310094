// A variable of the environment is printed before anything is known of its length.
//! args: --sym-env MODE 2
//! exits: 0 1 2
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const char *mode = getenv("MODE");
  if (!mode)
    return 9;
  printf("mode %s\n", mode);
  if (mode[0] == 0)
    return 0;
  if (mode[1] == 0)
    return 1;
  return 2;
}
