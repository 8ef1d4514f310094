// Every type that CREST names.
//! exits: 0 1 2 3 4 5 6
#include <crest.h>

int main(void) {
  char a;
  unsigned short b;
  unsigned int c;
  long d;
  float e;
  double f;
  CREST_char(a);
  CREST_unsigned_short(b);
  CREST_unsigned_int(c);
  CREST_long(d);
  CREST_float(e);
  CREST_double(f);
  if (a == 'x')
    return 1;
  if (b == 60000)
    return 2;
  if (c == 4000000000)
    return 3;
  if (d == -4000000000)
    return 4;
  if (e == 0.5f)
    return 5;
  if (f == -0.25)
    return 6;
  return 0;
}
