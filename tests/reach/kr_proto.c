// INPUT 3
#include "target.h"
static int add();
int main(void) {
  int (*f)() = (int (*)())add;
  if (((int (*)(int))f)(in()) == 5)
    target();
  return 0;
}
static int add(a, b)
int a;
int b;
{
  return a + 2;
}
