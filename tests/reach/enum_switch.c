// INPUT 7
#include "target.h"
enum e { A, B, C };
static int f(enum e e) {
  switch (e) {
  case A:
    return 1;
  case B:
    return 2;
  case C:
    return 3;
  }
  return 4;
}
int main(void) {
  if (f((enum e)in()) == 4)
    target();
  return 0;
}
