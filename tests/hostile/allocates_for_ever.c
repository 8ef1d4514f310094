// Allocates and fills for ever.
#include <stdlib.h>
#include <string.h>
int main(void) {
  for (unsigned i = 0;; i++) {
    char *block = malloc(1 << 16);
    for (int j = 0; j < 1 << 16; j += 512) block[j] = (char)(i + j);
  }
}
