// The locale of the environment is the C locale, whose characters are those of ASCII; others do not exist.
//! exits: 0 1 2 3 4 5 6 7 8 9
#include <klee/klee.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  const char *before = setlocale(LC_ALL, NULL);
  const char *after = setlocale(LC_ALL, "");
  wchar_t wide;
  switch (klee_int("question")) {
  case 1:
    return before && after && strcmp(before, "C") == 0 && strcmp(after, "C") == 0 ? 1 : 10;
  case 2:
    return MB_CUR_MAX == 1 ? 2 : 10;
  case 3:
    return strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0 ? 3 : 10;
  case 4:
    return mbtowc(&wide, "\303\244", 2) == -1 ? 4 : 10;
  case 5:
    return setlocale(LC_ALL, "xx_XX.UTF-8") == NULL ? 5 : 10;
  case 6:
    return iswalpha(0xe4) == 0 && towupper(0xe4) == 0xe4 ? 6 : 10;
  case 7:
    return setlocale(LC_CTYPE, "POSIX") && strcmp(setlocale(LC_CTYPE, NULL), "C") == 0 ? 7 : 10;
  case 8:
    return newlocale(LC_ALL_MASK, "xx_XX", NULL) == NULL && newlocale(LC_ALL_MASK, "C", NULL) != NULL ? 8 : 10;
  case 9:
    return setlocale(99, "C") == NULL ? 9 : 10;
  }
  return 0;
}
