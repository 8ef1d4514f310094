/* The printf family. The machine formats; text that leaves the program forks no path for the way in
 * which a number is printed. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Implemented by the machine: format into newly allocated memory and return the length. The second
 * one is for text that goes to a descriptor; if it leaves the program there, which cannot look at it again, it
 * gives no text if its length depends on the input. The third one writes such text and returns its length;
 * *failed becomes an error number or 0. The error is for %m. */
int __secateur_format(char **text, const char *format, va_list arguments, int error);
int __secateur_format_output(char **text, const char *format, va_list arguments, int error, int fd);
int __secateur_print(int fd, const char *format, va_list arguments, int error, int *failed);

static int print(int fd, const char *format, va_list arguments) {
  int failed;
  int length = __secateur_print(fd, format, arguments, errno, &failed);
  if (failed == 0) return length;
  errno = failed;
  return -1;
}

/* Whether what is written to a stream leaves the program. If not, it goes to the program's own memory,
 * whatever the descriptor is: vswprintf leaves it 0. */
static int is_output(const FILE *f) {
  return f->write == __stdio_write || f->write == __stdout_write;
}

REPLACEABLE int vfprintf(FILE *restrict f, const char *restrict format, va_list arguments) {
  char *text;
  /* A stream of wide characters takes no bytes. */
  if (f->mode > 0) return -1;
  f->mode = -1;
  int length = is_output(f) ? __secateur_format_output(&text, format, arguments, errno, f->fd)
                            : __secateur_format(&text, format, arguments, errno);
  if (text == 0) {
    /* What is in the buffer comes first. */
    if (f->wpos != f->wbase && fflush(f) != 0) return -1;
    return print(f->fd, format, arguments);
  }
  size_t written = fwrite(text, 1, (size_t)length, f);
  free(text);
  return written == (size_t)length ? length : -1;
}

REPLACEABLE int vsnprintf(char *restrict s, size_t size, const char *restrict format, va_list arguments) {
  char *text;
  int length = __secateur_format(&text, format, arguments, errno);
  if (size > 0) {
    size_t copied = (size_t)length < size ? (size_t)length : size - 1;
    memcpy(s, text, copied);
    s[copied] = 0;
  }
  free(text);
  return length;
}

REPLACEABLE int vasprintf(char **s, const char *format, va_list arguments) {
  char *text;
  int length = __secateur_format(&text, format, arguments, errno);
  *s = malloc((size_t)length + 1);
  if (*s != 0) {
    memcpy(*s, text, (size_t)length);
    (*s)[length] = 0;
  }
  free(text);
  return *s == 0 ? -1 : length;
}

REPLACEABLE int vdprintf(int fd, const char *restrict format, va_list arguments) {
  char *text;
  int length = __secateur_format_output(&text, format, arguments, errno, fd);
  if (text == 0) return print(fd, format, arguments);
  ssize_t written = write(fd, text, (size_t)length);
  free(text);
  return written == length ? length : -1;
}
