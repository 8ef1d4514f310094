// INPUT 1
#include "target.h"
static int f(void) {
  return 1;
}
static int g(void) {
  return 2;
}
int main(void) {
  int (*p)(void) = in() == 1 ? g : f;
  if (p != f && p() == 2)
    target();
  return 0;
}
