// Character sets other than Unicode, ASCII and Latin-1, of which glibc knows hundreds, are not modelled.
//! exits: 0
//! unsupported: __secateur_iconv_other_character_set
#include <iconv.h>
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") != 7)
    return 0;
  return iconv_open("UTF-8", "EUC-JP") == (iconv_t)-1;
}
