/* Text between margins, as argp prints it: lines that are too long are broken at a blank. */
#ifndef SECATEUR_ARGP_TEXT_H
#define SECATEUR_ARGP_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* What was added since the margins last changed is `waiting`: where it is broken is decided together. */
struct argp_text {
  FILE *stream;
  /* Lines begin at the left margin, and at the wrap margin where one was broken. */
  int left, wrap;
  /* Where the next character goes; -1 at the beginning of a line that shall not get the left margin. */
  int column;
  char *waiting;
  size_t length, room;
};

void __secateur_argp_write(struct argp_text *text, const char *s, size_t length);
void __secateur_argp_print(struct argp_text *text, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));
/* Change a margin and return the old one. */
int __secateur_argp_left(struct argp_text *text, int margin);
int __secateur_argp_wrap(struct argp_text *text, int margin);
/* The column, after everything so far. */
int __secateur_argp_column(struct argp_text *text);
/* Writes what is waiting, and gives its memory back. */
void __secateur_argp_end(struct argp_text *text);

#endif
