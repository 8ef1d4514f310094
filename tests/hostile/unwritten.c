// Memory that was never written, looked at for ever.
#include <stdlib.h>
int main(void) {
  int sum = 0;
  for (;;) {
    int *fresh = malloc(1024 * sizeof *fresh);
    for (int i = 0; i < 1024; i++)
      if (fresh[i] == i) sum++;
    free(fresh);
    if (sum == -1) return 1;
  }
}
