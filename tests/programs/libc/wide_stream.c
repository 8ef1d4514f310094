// A byte that is no character ends wide input and stays in the stream; a stream of bytes takes no wide characters.
//! args: --sym-stdin 2
//! exits: 0 1 2
#include <errno.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
  int count = 0;
  while (getwc(stdin) != WEOF)
    count++;
  if (printf("%d\n", count) != 2 || wprintf(L"none") != -1)
    return 9;
  if (feof(stdin))
    return 0;
  if (errno != EILSEQ || !ferror(stdin) || getwc(stdin) != WEOF)
    return 8;
  return count == 0 ? 1 : 2;
}
