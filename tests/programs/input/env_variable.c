// A variable of the environment is symbolic.
//! args: --sym-env MODE 3
//! exits: 0 1 2
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *mode = getenv("MODE");
  if (!mode)
    return 3;
  if (strlen(mode) > 3)
    return 4;
  if (strcmp(mode, "dev") == 0)
    return 1;
  return mode[0] == 0 ? 2 : 0;
}
