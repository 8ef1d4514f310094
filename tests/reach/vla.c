// INPUT 5
#include "target.h"
int main(void) {
  int n = in();
  if (n < 1 || n > 8)
    return 0;
  int total = 0;
  for (int k = 1; k <= n; k++) {
    int v[k];
    for (int i = 0; i < k; i++)
      v[i] = i;
    total += v[k - 1];
  }
  if (total == 10)
    target();
  return 0;
}
