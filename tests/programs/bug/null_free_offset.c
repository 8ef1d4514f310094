// A null pointer plus an offset that the input says: no offset makes it a pointer to something. An optimiser makes use of that.
//! levels: O0
//! exits: 0
//! args: --entry at
#include <stddef.h>

struct buffer {
  const char *content;
  size_t length, offset;
  int (*callback)(void);
};

int at(struct buffer *buffer) {
  if (!buffer || buffer->content)
    return 0;
  if (buffer->offset >= buffer->length)
    return 1;
  if (buffer->content[buffer->offset] != '[') //~ BUG null-pointer
    return 2;
  return buffer->callback();
}
