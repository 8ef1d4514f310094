// The system refuses a null pointer; it does not end the program.
//! args: --sym-stdin 2
//! exits: 0
#include <errno.h>
#include <unistd.h>

int main(void) {
  char *volatile nowhere = 0;
  if (read(0, nowhere, 1) != -1 || errno != EFAULT) return 1;
  if (write(1, nowhere, 1) != -1 || errno != EFAULT) return 2;
  return read(0, nowhere, 0);
}
