// INPUT 3
#include "target.h"
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
  v4 a = {in(), 2, 3, 4}, b = {1, 1, 1, 1};
  v4 c = a * 2 + b;
  v4 m = c > 6;
  if (c[0] == 7 && m[0] == -1 && m[1] == 0)
    target();
  return 0;
}
