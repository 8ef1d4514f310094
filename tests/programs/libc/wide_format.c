// Wide text in memory has widths, and characters beyond ASCII.
//! exits: 0 1 2
#include <klee/klee.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
  unsigned width = klee_range(0, 4, "width");
  wchar_t c, text[8];
  klee_make_symbolic(&c, sizeof c, "c");
  klee_assume(c == L'a' || c == L'é');
  int length = swprintf(text, 8, L"%*lc", width, c);
  if (length != (width > 0 ? (int)width : 1) || text[length - 1] != c)
    return 9;
  if (width == 3 && text[1] == L' ')
    return 1;
  return c == L'é' ? 2 : 0;
}
