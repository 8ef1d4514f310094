// Versions in order: numbers by value, those with leading zeros as fractions, a digit and a letter as characters.
//! args: --sym-stdin 2
//! exits: 0 1 2 3
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[] = "a..";
  int first = getchar(), second = getchar();
  text[1] = (char)first;
  text[2] = (char)second;
  if (first == '1' && second == '0')
    return strverscmp(text, "a9") > 0 ? 1 : 10;
  if (first == '0' && second == '1')
    return strverscmp(text, "a0") < 0 && strverscmp(text, "a1") < 0 ? 2 : 10;
  if (first == '.' && second == '5')
    return strverscmp(text, "a.x") < 0 && strverscmp("a.x", text) > 0 ? 3 : 10;
  return 0;
}
