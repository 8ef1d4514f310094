// Standard streams can be closed, and their numbers are used again.
//! args: --sym-file A 1
//! exits-some: 0 1
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char c;
  if (read(0, &c, 1) != 0) return 9;
  if (close(0) != 0 || close(0) != -1 || errno != EBADF) return 8;
  if (open("A", O_RDONLY) != 0) return 7;
  if (read(0, &c, 1) != 1) return 6;
  if (lseek(1, 0, SEEK_CUR) != -1 || errno != ESPIPE) return 5;
  if (write(7, &c, 1) != -1 || errno != EBADF) return 4;
  return c == 'a';
}
