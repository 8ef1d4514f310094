// A file can be opened twice, each with a position of its own, and closed once each.
//! args: --sym-file A 4
//! exits-some: 0 1
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char first, second;
  int a = open("A", O_RDONLY), b = open("./A", O_RDONLY);
  if (a < 0 || b < 0 || a == b) return 9;
  if (read(a, &first, 1) != 1 || read(b, &second, 1) != 1) return 8;
  if (first != second) return 7;
  if (lseek(a, -1, SEEK_END) != 3 || read(a, &first, 1) != 1 || read(a, &first, 1) != 0) return 6;
  if (close(a) != 0 || close(a) != -1 || errno != EBADF) return 5;
  if (open("B", O_RDONLY) != -1 || errno != ENOENT) return 4;
  return second == 'x';
}
