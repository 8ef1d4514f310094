/* Text between margins: argp_text.h. */
#define _GNU_SOURCE
#include "argp_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 79 };

static int is_blank(char c) { return c == ' ' || c == '\t'; }

static void indent(struct argp_text *text, int width) {
  for (int i = 0; i < width; i++) putc(' ', text->stream);
}

/* Breaks a line that is too long; returns where the next one begins, or NULL if this one is a long word by itself. */
static const char *break_line(struct argp_text *text, const char *start, const char *end, const char *all_end) {
  const char *last = start + (LINE - text->column), *at = last, *next;
  while (at >= start && !(at < all_end && is_blank(*at))) at--;
  if (at >= start) {
    next = at + 1;
    do at--;
    while (at >= start && is_blank(*at));
    end = at + 1;
  } else {
    at = last;
    if (at < end)
      do at++;
      while (at < end && !is_blank(*at));
    if (at >= end) return 0;
    end = next = at;
    do next++;
    while (next < all_end && is_blank(*next));
  }
  fwrite(start, 1, (size_t)(end - start), text->stream);
  putc('\n', text->stream);
  indent(text, text->wrap);
  text->column = text->wrap ? text->wrap : -1;
  return next;
}

static void update(struct argp_text *text) {
  const char *at = text->waiting, *all_end = at + text->length;
  while (at < all_end) {
    if (text->column == 0 && text->left > 0) {
      indent(text, text->left);
      text->column = text->left;
    }
    if (text->column < 0) text->column = 0;
    const char *newline = memchr(at, '\n', (size_t)(all_end - at)), *end = newline ? newline : all_end;
    if (text->column + (end - at) < LINE) {
      text->column = newline ? 0 : text->column + (int)(end - at);
    } else {
      const char *next = break_line(text, at, end, all_end);
      if (next) {
        at = next;
        continue;
      }
      text->column = 0;
    }
    fwrite(at, 1, (size_t)(end - at) + (newline != 0), text->stream);
    at = end + (newline != 0);
  }
  text->length = 0;
}

void __secateur_argp_write(struct argp_text *text, const char *s, size_t length) {
  if (text->length + length > text->room) {
    size_t room = 2 * (text->length + length);
    char *grown = realloc(text->waiting, room);
    if (!grown) return;
    text->waiting = grown;
    text->room = room;
  }
  memcpy(text->waiting + text->length, s, length);
  text->length += length;
}

void __secateur_argp_print(struct argp_text *text, const char *format, ...) {
  va_list arguments;
  char *s;
  va_start(arguments, format);
  int length = vasprintf(&s, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  __secateur_argp_write(text, s, (size_t)length);
  free(s);
}

int __secateur_argp_left(struct argp_text *text, int margin) {
  int old = text->left;
  update(text);
  text->left = margin;
  return old;
}

int __secateur_argp_wrap(struct argp_text *text, int margin) {
  int old = text->wrap;
  update(text);
  text->wrap = margin;
  return old;
}

int __secateur_argp_column(struct argp_text *text) {
  update(text);
  return text->column < 0 ? 0 : text->column;
}

void __secateur_argp_end(struct argp_text *text) {
  update(text);
  free(text->waiting);
}
