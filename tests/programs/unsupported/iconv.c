// Which character sets there are, and what is done with characters that do not exist in them, is not modelled.
//! exits: 0
//! unsupported: external function `iconv_open`
#include <iconv.h>
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") != 7)
    return 0;
  return iconv_open("UTF-8", "ANSI_X3.4-1968") == (iconv_t)-1;
}
