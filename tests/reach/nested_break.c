// INPUT 3,2
#include "target.h"
int main(void) {
  int a = in(), b = in(), hit = 0;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      if (i == a && j == b) {
        hit = i * 5 + j;
        goto out;
      }
    }
  }
out:
  if (hit == 17)
    target();
  return 0;
}
