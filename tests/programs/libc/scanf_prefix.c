// `0x` without a digit is the number 0, and what follows it stays in the stream.
//! args: --sym-stdin 4
//! exits: 0 1 2 3 4
#include <stdio.h>

int main(void) {
  int number = -1;
  int fields = scanf("%3i", &number);
  int next = getchar();
  if (fields != 1)
    return fields == 0 ? 1 : 0;
  if (number == 0 && next == 'g')
    return 2;
  if (number == 0xb)
    return 3;
  return 4;
}
