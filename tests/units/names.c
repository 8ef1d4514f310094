// Functions that have the names of the C library's, and `main`.
//! unit: abs 4/4
//! unit: isdigit 4/4
//! unit: strlen 3/4
//! unit: main 4/4 --non-null --array-len 3 --str-len 2
#include <ctype.h>
#include <stddef.h>
#undef isdigit

// Not what the library's does, so that it can be told apart.
int abs(int number) {
  if (number == -5)
    return 77;
  if (number < 0)
    return -number;
  return number;
}

int isdigit(int letter) {
  if (letter >= '0' && letter <= '9')
    return 2;
  return 0;
}

// A declaration promises that the pointer is not null.
__attribute__((nonnull)) size_t strlen(const char *text) {
  size_t length = 0;
  const char *volatile start = text;
  if (start == NULL)
    return 99;
  while (text[length] != 0)
    length++;
  return length;
}

int main(int count, char **words) {
  if (count == 2 && words[0] != NULL)
    return 3;
  return 0;
}
