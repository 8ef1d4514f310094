// A line of standard input.
//! args: --sym-stdin 3
//! exits: 0 1 2
#include <stdio.h>

int main(void) {
  char line[8];
  if (!fgets(line, sizeof line, stdin))
    return 3;
  if (line[0] == 'g' && line[1] == 'o' && line[2] == '\n')
    return 1;
  return line[0] == '\n' && line[1] == 0 ? 2 : 0;
}
