// INPUT
#include "target.h"
static int n;
__attribute__((constructor)) static void early(int argc, char **argv) {
  n = argc;
}
int main(void) {
  if (n == 1)
    target();
  return 0;
}
