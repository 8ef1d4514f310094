// INPUT 1,2
#include "target.h"
struct big {
  long a[5];
  int t;
};
static struct big twist(struct big b) {
  b.a[1] += 3;
  b.t = (int)b.a[0];
  return b;
}
int main(void) {
  struct big b = {{in(), in()}, 0};
  struct big c = twist(b);
  if (c.a[1] == 5 && b.a[1] == 2 && c.t == 1)
    target();
  return 0;
}
