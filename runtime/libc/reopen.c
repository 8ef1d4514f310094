/* freopen(), which leaves a stream without a descriptor if it fails. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <fcntl.h>

/* The new file gets the descriptor of the old one, if that is open; else the stream is closed. */
REPLACEABLE FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict f) {
  int flags = __fmodeflags(mode);
  fflush(f);
  if (!path) {
    if (flags & O_CLOEXEC) syscall(SYS_fcntl, f->fd, F_SETFD, FD_CLOEXEC);
    flags &= ~(O_CREAT | O_EXCL | O_CLOEXEC);
    if (syscall(SYS_fcntl, f->fd, F_SETFL, flags) >= 0) return f;
    fclose(f);
    return NULL;
  }
  FILE *new = fopen(path, mode);
  if (!new) {
    int saved_errno = errno;
    fclose(f);
    errno = saved_errno;
    return NULL;
  }
  if (f->fd < 0 || f->fd == new->fd) {
    f->fd = new->fd;
    new->fd = -1;
  } else if (syscall(SYS_dup3, new->fd, f->fd, flags & O_CLOEXEC) < 0) {
    fclose(new);
    fclose(f);
    return NULL;
  }
  f->flags = (f->flags & F_PERM) | new->flags;
  f->read = new->read;
  f->write = new->write;
  f->seek = new->seek;
  f->close = new->close;
  int saved_errno = errno;
  fclose(new);
  errno = saved_errno;
  return f;
}

weak_alias(freopen, freopen64);
