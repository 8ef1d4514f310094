// INPUT 4
#include "target.h"
static int *keep;
static void save(int *p) {
  keep = p;
}
static void poke(void) {
  *keep = 4;
}
int main(void) {
  int v = 1;
  save(&v);
  if (in() == 4)
    poke();
  if (v == 4)
    target();
  return 0;
}
