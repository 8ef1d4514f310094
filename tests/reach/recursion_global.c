// INPUT 14
#include "target.h"
static int depth, most;
static void rec(int n) {
  depth++;
  if (depth > most)
    most = depth;
  if (n > 0)
    rec(n - 1);
  depth--;
}
int main(void) {
  int n = in();
  if (n > 20)
    return 0;
  rec(n);
  if (most == 15 && depth == 0)
    target();
  return 0;
}
