// A machine with four instructions runs a symbolic program of three.
//! exits: 0 1 2 3 4 5 6 8 9
#include <klee/klee.h>

int main(void) {
  unsigned char code[3];
  klee_make_symbolic(code, sizeof code, "code");
  unsigned acc = 1;
  for (int pc = 0; pc < 3; pc++) {
    switch (code[pc] & 3) {
    case 0:
      return (int)acc;
    case 1:
      acc += 1;
      break;
    case 2:
      acc *= 2;
      break;
    case 3:
      acc = acc * acc;
      break;
    }
  }
  return acc > 9 ? 0 : (int)acc;
}
