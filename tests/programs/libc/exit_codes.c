// exit, _Exit and return; only exit and return run handlers.
//! exits: 0 5 6 7
#include <klee/klee.h>
#include <stdlib.h>

static int code;
static void handler(void) {
  if (code)
    _Exit(code);
}

int main(void) {
  atexit(handler);
  switch (klee_range(0, 4, "k")) {
  case 0:
    code = 5;
    exit(1);
  case 1:
    code = 5;
    _Exit(6);
  case 2:
    code = 7;
    return 2;
  }
  return 0;
}
