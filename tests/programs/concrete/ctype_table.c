// All classes of all characters.
#include <ctype.h>
#include <stdio.h>

int main(void) {
  for (int c = 0; c < 128; c++) {
    int bits = !!isalnum(c) << 0 | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 | !!isdigit(c) << 4 | !!isgraph(c) << 5;
    bits |= !!islower(c) << 6 | !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 | !!isupper(c) << 10 | !!isxdigit(c) << 11;
    printf("%03x %d %d%c", bits, toupper(c), tolower(c), c % 8 == 7 ? '\n' : ' ');
  }
  return isalpha(EOF) != 0;
}
