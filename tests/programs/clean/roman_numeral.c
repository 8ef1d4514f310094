// The value of a Roman numeral of up to three letters.
//! exits: 0 1 2 3 4 5 6 7 9 10 11 12 14 15 16 19 20 21 25 30
#include <klee/klee.h>

static int value(char c) {
  switch (c) {
  case 'I':
    return 1;
  case 'V':
    return 5;
  case 'X':
    return 10;
  }
  return 0;
}

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  int total = 0;
  for (int i = 0; i < 3 && s[i]; i++) {
    int v = value(s[i]);
    if (v == 0)
      return 0;
    int next = i < 2 ? value(s[i + 1]) : 0;
    total += v < next ? -v : v;
  }
  return total < 0 ? 0 : total;
}
