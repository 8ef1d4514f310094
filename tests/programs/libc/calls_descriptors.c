// System calls on descriptors, which are input: what they return, and how they fail, is the same natively.
// One level will do: each of the many paths is a native run, and no answer depends on the optimiser.
//! levels: O0
//! args: --sym-file A 3
//! exits: 0
//! complete: yes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

volatile int seen;

// A branch for each answer, so that another one natively is another path.
static void observe(long result) {
  if (result == -1) {
    switch (errno) {
      case EBADF: seen = 1; break;
      case EINVAL: seen = 2; break;
      case ESPIPE: seen = 3; break;
      case ENOTDIR: seen = 4; break;
      case EISDIR: seen = 5; break;
      case ENOTTY: seen = 6; break;
      case EROFS: seen = 7; break;
      case EPERM: seen = 8; break;
      default: seen = 9;
    }
  } else if (result == 0) {
    seen = 10;
  } else if (result == 1) {
    seen = 11;
  } else if (result == 2) {
    seen = 12;
  } else if (result < 7) {
    seen = 13;
  }
}

int main(void) {
  char buffer[4] = "xy";
  struct stat status;
  int ends[2], file = open("A", O_RDWR), folder = open(".", O_RDONLY | O_DIRECTORY);
  if (file != 3 || folder != 4 || pipe(ends) != 0) return 1;
  // 5 and 6 are the ends of the pipe, 7 is not open.
  int call = klee_range(0, 19, "call"), descriptor = klee_range(-1, 8, "descriptor");
  struct iovec part = {buffer, 2};
  struct pollfd ready = {descriptor, POLLIN | POLLOUT, 0};
  struct timeval now = {0, 0};
  fd_set set;
  // Standard input and output lead elsewhere natively.
  klee_assume((unsigned)(descriptor < 0) | (unsigned)(descriptor > 2));
  // Reading from an empty pipe would wait for ever.
  if (descriptor == 5 && write(6, "abc", 3) != 3) return 2;
  switch (call) {
    case 0: observe(dup(descriptor)); break;
    case 1: observe(dup2(descriptor, 4)); break;
    case 2: observe(dup3(descriptor, 4, O_CLOEXEC)); break;
    case 3: observe(fcntl(descriptor, F_GETFD)); break;
    case 4: observe(fcntl(descriptor, F_GETFL) & (O_ACCMODE | O_APPEND)); break;
    case 5: observe(fcntl(descriptor, F_DUPFD, 5)); break;
    case 6: observe(fcntl(descriptor, F_SETFL, O_APPEND) | (fcntl(descriptor, F_GETFL) & O_APPEND)); break;
    case 7: observe(close(descriptor)); break;
    case 8: observe(fstat(descriptor, &status)); break;
    case 9: observe(read(descriptor, buffer, 2)); break;
    case 10: observe(pread(descriptor, buffer, 2, 2)); break;
    case 11: observe(readv(descriptor, &part, 1)); break;
    case 12: observe(write(descriptor, buffer, 2)); break;
    case 13: observe(pwrite(descriptor, buffer, 2, 9)); break;
    case 14: observe(ftruncate(descriptor, 1)); break;
    case 15: observe(fsync(descriptor)); break;
    case 16: observe(fchdir(descriptor)); break;
    case 17: observe(poll(&ready, 1, 0) * 2 + (ready.revents == POLLNVAL)); break;
    case 18:
      FD_ZERO(&set);
      FD_SET(descriptor < 0 ? 0 : descriptor, &set);
      observe(descriptor < 0 ? isatty(descriptor) : select(8, &set, NULL, NULL, &now));
      break;
  }
  // Whatever happened to it is the same.
  if (fstat(3, &status) == 0 && S_ISREG(status.st_mode)) observe(status.st_size);
  observe(lseek(3, 0, SEEK_CUR));
  return 0;
}
