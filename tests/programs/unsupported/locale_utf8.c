// A locale that glibc has and exploration does not.
//! exits: 0
//! unsupported: __secateur_locale_other_than_C
#include <klee/klee.h>
#include <locale.h>
#include <stddef.h>

int main(void) {
  if (klee_int("x") == 1)
    return setlocale(LC_ALL, "C.UTF-8") != NULL ? 1 : 2;
  return 0;
}
