// Copies half a gigabyte again and again, not a whole number of pages apart.
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *a = malloc(512 << 20), *b = malloc(512 << 20);
  for (int i = 0;; i++) {
    memset(a + i % 7, i, (512 << 20) - 7);
    memcpy(b, a + i % 5, (512 << 20) - 7);
  }
}
