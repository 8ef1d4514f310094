// Allocates and frees for ever.
#include <stdlib.h>
int main(void) {
  for (;;) free(malloc(100));
}
