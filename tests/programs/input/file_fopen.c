// A symbolic file is opened and read.
//! args: --sym-file config 3
//! exits: 0 1 2
#include <stdio.h>

int main(void) {
  FILE *f = fopen("config", "r");
  if (!f)
    return 3;
  int c = fgetc(f);
  int d = fgetc(f);
  fclose(f);
  if (c == 'x') {
    if (d == '=')
      return 1;
    return 2;
  }
  return 0;
}
