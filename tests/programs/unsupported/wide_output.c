// The C locale has no bytes for wide characters beyond ASCII; glibc writes others in their place.
//! exits: 0
//! unsupported: __secateur_wide_output_beyond_ascii
#include <klee/klee.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
  wchar_t c;
  klee_make_symbolic(&c, sizeof c, "c");
  klee_assume(c == L'a' || c == L'é');
  return fputwc(c, stdout) != (wint_t)c;
}
