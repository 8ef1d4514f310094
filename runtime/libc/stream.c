/* The lowest level of stdio: how buffers are filled and emptied.
 *
 * musl gathers its reads and writes with readv and writev, asks whether standard output is a
 * terminal, and seeks standard input back at exit. Plain read and write keep the system-call
 * boundary small, and output is always as it would be when captured. */
#include "stdio_impl.h"

#include <string.h>

size_t __stdio_read(FILE *f, unsigned char *buffer, size_t length) {
  int direct = f->buf_size == 0;
  long count = syscall(SYS_read, f->fd, direct ? buffer : f->buf, direct ? length : f->buf_size);
  if (count <= 0) {
    f->flags |= count == 0 ? F_EOF : F_ERR;
    return 0;
  }
  if (direct) return (size_t)count;
  size_t taken = length < (size_t)count ? length : (size_t)count;
  memcpy(buffer, f->buf, taken);
  f->rpos = f->buf + taken;
  f->rend = f->buf + count;
  return taken;
}

/* Returns how many bytes could not be written. */
static size_t write_all(int fd, const unsigned char *bytes, size_t length) {
  while (length > 0) {
    long count = syscall(SYS_write, fd, bytes, length);
    if (count <= 0) break;
    bytes += count;
    length -= (size_t)count;
  }
  return length;
}

size_t __stdio_write(FILE *f, const unsigned char *bytes, size_t length) {
  size_t left = write_all(f->fd, f->wbase, (size_t)(f->wpos - f->wbase));
  size_t rest = left == 0 ? write_all(f->fd, bytes, length) : length;
  if (left + rest > 0) {
    f->wpos = f->wbase = f->wend = 0;
    f->flags |= F_ERR;
    return length - rest;
  }
  f->wend = f->buf + f->buf_size;
  f->wpos = f->wbase = f->buf;
  return length;
}

size_t __stdout_write(FILE *f, const unsigned char *bytes, size_t length) {
  f->write = __stdio_write;
  if (!(f->flags & F_SVB)) f->lbf = -1;
  return __stdio_write(f, bytes, length);
}

/* A stream that is closed has no descriptor: the standard streams remain, and glibc says so. */
int __stdio_close(FILE *f) {
  int descriptor = f->fd;
  f->fd = -1;
  return (int)syscall(SYS_close, descriptor);
}
