// The tree of files is closed: there are a few devices and folders, and nothing else.
//! exits: 0
//! complete: yes
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char bytes[4] = {1, 1, 1, 1};
  int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY);
  if (null < 0 || write(null, bytes, 4) != 4 || read(null, bytes, 4) != 0) return 1;
  if (zero < 0 || read(zero, bytes, 3) != 3 || bytes[2] != 0 || bytes[3] != 1) return 2;
  if (open("/etc/passwd", O_RDONLY) != -1 || errno != ENOENT) return 3;
  if (open("/dev/tty", O_RDWR) != -1 || errno != ENXIO) return 4;
  if (open("../../tmp/a", O_WRONLY | O_CREAT, 0600) < 0 || access("/tmp/a", W_OK) != 0) return 5;
  if (access("../../../../../tmp/a", X_OK) != -1 || errno != EACCES) return 6;
  int full = open("/dev/full", O_WRONLY);
  if (full < 0 || write(full, bytes, 1) != -1 || errno != ENOSPC) return 7;
  return 0;
}
