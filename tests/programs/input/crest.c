// Input through the macros of CREST.
//! exits: 0 1 2 3
//! paths[O0]: 6
#include <crest.h>

int main(void) {
  int a;
  short b;
  unsigned char c;
  CREST_int(a);
  CREST_short(b);
  CREST_unsigned_char(c);
  if (a == 2 * b && a == 84)
    return 1;
  if (c == 200) {
    if (a == 5)
      return 2;
    return 3;
  }
  return 0;
}
