// INPUT 7
#include "target.h"
#include <stdio.h>
int main(void) {
  FILE *f = tmpfile();
  if (!f)
    return 1;
  fputc(in() & 127, f);
  rewind(f);
  if (fgetc(f) == 7)
    target();
  fclose(f);
  return 0;
}
