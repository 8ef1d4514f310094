// In the C locale, bytes outside of ASCII are no characters, whatever is asked; regular expressions still match them.
//! args: --sym-stdin 1
//! exits: 0 1 2
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
  char text[2] = {(char)getchar(), 0};
  wchar_t wide[2];
  mbstate_t state = {0};
  if (text[0] == 0)
    return mbrtowc(wide, text, 1, &state) == 0 ? 0 : 10;
  size_t length = mbrtowc(wide, text, 1, &state);
  if (mbstowcs(wide, text, 2) != length || mblen(text, 1) != (int)length || mbrlen(text, 1, NULL) != length)
    return 11;
  if (length == 1)
    return wctob(btowc(text[0])) == text[0] ? 1 : 12;
  regex_t any;
  if (regcomp(&any, "^.$", 0) != 0)
    return 13;
  return length == (size_t)-1 && regexec(&any, text, 0, NULL, 0) == 0 ? 2 : 14;
}
