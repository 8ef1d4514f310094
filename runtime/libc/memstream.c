/* Streams that write to memory, as glibc's: their text ends where the stream stands when it is flushed or closed, also
 * after it was set back, and that is also the end from which SEEK_END counts. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { FIRST_ROOM = 8192 };

/* Text of bytes or of wide characters, and where the program wants to know about it. */
struct text {
  void *start, **shown;
  size_t position, room, unit, *shown_length;
};

struct memory_stream {
  FILE file;
  struct text text;
  unsigned char buffer[BUFSIZ];
};

/* New room is zero, so that the text has an end. */
static int make_room(struct text *text, size_t needed) {
  if (needed < text->room) return 1;
  size_t room = text->room;
  while (room <= needed) room = room == 0 ? FIRST_ROOM : 2 * room + 100;
  char *start = realloc(text->start, room * text->unit);
  if (!start) return 0;
  memset(start + text->room * text->unit, 0, (room - text->room) * text->unit);
  text->start = start;
  text->room = room;
  return 1;
}

static int append(struct text *text, const unsigned char *bytes, size_t length) {
  if (length == 0) return 1;
  if (!make_room(text, text->position + length)) return 0;
  if (text->unit == 1) memcpy((char *)text->start + text->position, bytes, length);
  else
    for (size_t i = 0; i < length; i++) ((wchar_t *)text->start)[text->position + i] = bytes[i];
  text->position += length;
  return 1;
}

static void show(const struct text *text) {
  *text->shown = text->start;
  *text->shown_length = text->position;
}

static size_t write_text(FILE *f, const unsigned char *bytes, size_t length) {
  struct text *text = f->cookie;
  size_t waiting = (size_t)(f->wpos - f->wbase);
  if (!append(text, f->wbase, waiting) || !append(text, bytes, length)) {
    f->wpos = f->wbase = f->wend = 0;
    f->flags |= F_ERR;
    return 0;
  }
  f->wend = f->buf + f->buf_size;
  f->wpos = f->wbase = f->buf;
  show(text);
  return length;
}

static off_t seek_text(FILE *f, off_t offset, int whence) {
  struct text *text = f->cookie;
  off_t from = whence == SEEK_SET ? 0 : (off_t)text->position;
  if (whence < 0 || whence > SEEK_END || offset < -from || offset > (off_t)(SSIZE_MAX / text->unit) - from) {
    errno = EINVAL;
    return -1;
  }
  if (!make_room(text, (size_t)(from + offset))) return -1;
  text->position = (size_t)(from + offset);
  show(text);
  return from + offset;
}

static int close_text(FILE *f) {
  struct text *text = f->cookie;
  if (text->unit == 1) ((char *)text->start)[text->position] = 0;
  else ((wchar_t *)text->start)[text->position] = 0;
  show(text);
  return 0;
}

static FILE *open_text(void **shown, size_t *shown_length, size_t unit) {
  struct memory_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return 0;
  stream->text = (struct text){.shown = shown, .shown_length = shown_length, .unit = unit};
  if (!make_room(&stream->text, 0)) {
    free(stream);
    return 0;
  }
  FILE *f = &stream->file;
  f->cookie = &stream->text;
  f->flags = F_NORD;
  f->fd = -1;
  f->buf = stream->buffer;
  f->buf_size = sizeof stream->buffer;
  f->lbf = EOF;
  f->write = write_text;
  f->seek = seek_text;
  f->close = close_text;
  f->lock = -1;
  f->mode = unit == 1 ? -1 : 1;
  show(&stream->text);
  return __ofl_add(f);
}

REPLACEABLE FILE *open_memstream(char **text, size_t *length) { return open_text((void **)text, length, 1); }

REPLACEABLE FILE *open_wmemstream(wchar_t **text, size_t *length) {
  return open_text((void **)text, length, sizeof(wchar_t));
}
