/* The printf family. The machine formats the values that its arguments have for the input being
 * followed, so that no path is split by the way in which a number is printed. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Implemented by the machine: format into newly allocated memory and return the length, or a
 * negative number if the format is wrong. The second one is for text that leaves the program, which
 * cannot look at it again. */
int __secateur_format(char **text, const char *format, va_list arguments);
int __secateur_format_output(char **text, const char *format, va_list arguments);

REPLACEABLE int vfprintf(FILE *restrict f, const char *restrict format, va_list arguments) {
  char *text;
  /* Streams without a file descriptor are the program's own memory. */
  int length = f->fd >= 0 ? __secateur_format_output(&text, format, arguments) : __secateur_format(&text, format, arguments);
  if (length < 0) return -1;
  size_t written = fwrite(text, 1, (size_t)length, f);
  free(text);
  return written == (size_t)length ? length : -1;
}

REPLACEABLE int vsnprintf(char *restrict s, size_t size, const char *restrict format, va_list arguments) {
  char *text;
  int length = __secateur_format(&text, format, arguments);
  if (length < 0) return -1;
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
  int length = __secateur_format(&text, format, arguments);
  if (length < 0) return -1;
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
  int length = __secateur_format_output(&text, format, arguments);
  if (length < 0) return -1;
  ssize_t written = write(fd, text, (size_t)length);
  free(text);
  return written == length ? length : -1;
}
