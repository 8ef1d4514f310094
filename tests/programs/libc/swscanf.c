// Wide text is scanned as natively: `0x` without a digit is the number 0, and a set may have characters beyond ASCII.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <wchar.h>

int main(void) {
  wchar_t text[4], word[4];
  int number = -1;
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 3; i++)
    klee_assume(text[i] == L'0' || text[i] == L'x' || text[i] == L'é');
  text[3] = 0;
  if (swscanf(text, L"%l[à-ÿ]", word) == 1)
    return text[0] == L'é' && word[0] == L'é' ? 1 : 9;
  if (swscanf(text, L"%i", &number) == 1)
    return number == 0 ? 2 : 8;
  wchar_t *end;
  if (wcstol(text, &end, 16) != 0 || end != text)
    return 7;
  return text[1] == L'0' ? 3 : 0;
}
