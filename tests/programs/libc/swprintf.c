// Wide text in memory, made of numbers and characters that depend on the input.
//! exits: 1 2 3
#include <klee/klee.h>
#include <wchar.h>

int main(void) {
  unsigned char number;
  wchar_t text[8];
  klee_make_symbolic(&number, 1, "number");
  int length = swprintf(text, 8, L"%d", number);
  if (length < 0 || wcslen(text) != (size_t)length)
    return 9;
  if (number < 10 && text[0] != L'0' + number)
    return 8;
  wchar_t small[3];
  int cut = swprintf(small, 3, L"%u", number);
  if (cut != (length < 3 ? length : -1))
    return 7;
  return length;
}
