// Streams in structs, which are never made up.
//! unit: log_level 3/4
#include <stdio.h>

struct log {
  FILE *stream;
  int level;
};

int log_level(struct log *log) {
  if (log == NULL)
    return -1;
  // The stream is always null.
  if (log->stream != NULL)
    return putc('x', log->stream);
  return log->level > 3;
}
