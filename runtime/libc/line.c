/* Reads lines into memory that grows as glibc's does: programs may look at its size. */
#define _GNU_SOURCE
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 120 };

static int make_room(char **line, size_t *size, size_t needed) {
  if (needed <= *size) return 1;
  if (needed < 2 * *size) needed = 2 * *size;
  char *grown = realloc(*line, needed);
  if (!grown) return 0;
  *line = grown;
  *size = needed;
  return 1;
}

static ssize_t read_line(char **restrict line, size_t *restrict size, int end, FILE *restrict f) {
  if (!line || !size) {
    errno = EINVAL;
    return -1;
  }
  if (!*line || *size == 0) {
    *size = 0;
    if (!make_room(line, size, FIRST_SIZE)) return -1;
  }
  size_t length = 0;
  const unsigned char *found = 0;
  while (!found) {
    if (f->rpos == f->rend) {
      int c = getc_unlocked(f);
      if (c == EOF && length == 0) return -1;
      if (c == EOF) break;
      *--f->rpos = (unsigned char)c;
    }
    size_t available = (size_t)(f->rend - f->rpos);
    found = memchr(f->rpos, end, available);
    size_t taken = found ? (size_t)(found - f->rpos) + 1 : available;
    if (!make_room(line, size, length + taken + 1)) return -1;
    memcpy(*line + length, f->rpos, taken);
    f->rpos += taken;
    length += taken;
  }
  (*line)[length] = 0;
  return (ssize_t)length;
}

REPLACEABLE ssize_t getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict f) {
  FLOCK(f);
  ssize_t length = read_line(line, size, end, f);
  FUNLOCK(f);
  return length;
}

weak_alias(getdelim, __getdelim);
