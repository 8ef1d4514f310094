/* error and error_at_line of <error.h>, as glibc has them. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

/* Begins a message; what follows the program's name is only printed after our own way of printing it. */
static void begin(const char *after) {
  fflush(stdout);
  if (error_print_progname)
    error_print_progname();
  else
    fprintf(stderr, "%s:%s", program_invocation_name, after);
}

static void finish(int status, int error, const char *format, va_list arguments) {
  vfprintf(stderr, format, arguments);
  error_message_count++;
  if (error) fprintf(stderr, ": %s", strerror(error));
  putc('\n', stderr);
  fflush(stderr);
  if (status) exit(status);
}

REPLACEABLE void error(int status, int error, const char *format, ...) {
  va_list arguments;
  begin(" ");
  va_start(arguments, format);
  finish(status, error, format, arguments);
  va_end(arguments);
}

REPLACEABLE void error_at_line(int status, int error, const char *file, unsigned line, const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  if (error_one_per_line) {
    int same_file = last_file == file || (last_file && file && !strcmp(last_file, file));
    if (same_file && last_line == line) return;
    last_file = file;
    last_line = line;
  }
  va_list arguments;
  begin("");
  if (file)
    fprintf(stderr, "%s:%u: ", file, line);
  else
    fputc(' ', stderr);
  va_start(arguments, format);
  finish(status, error, format, arguments);
  va_end(arguments);
}
