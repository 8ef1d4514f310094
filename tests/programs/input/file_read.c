// A symbolic file through system calls.
//! args: --sym-file data.bin 4
//! exits: 0 1
//! paths[O0]: 2
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("data.bin", O_RDONLY);
  if (fd < 0)
    return 3;
  int value;
  if (read(fd, &value, sizeof value) != 4)
    return 4;
  char more;
  if (read(fd, &more, 1) != 0)
    return 5;
  close(fd);
  if (value == -559038737)
    return 1;
  return 0;
}
