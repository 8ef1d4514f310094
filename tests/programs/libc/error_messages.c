// error and error_at_line: a status other than 0 ends the program.
//! exits: 0 3 4 5
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

static int named;
static void name(void) { named++; }

int main(void) {
  int x = klee_int("x");
  printf("x is printed before the messages\n");
  error(0, 0, "going on");
  if (error_message_count != 1 || strlen(program_invocation_name) == 0)
    return 10;
  if (x == 3)
    error(3, ENOENT, "x is %d", x);
  error_one_per_line = 1;
  error_at_line(0, EINVAL, "file", 7, "%s", "once");
  error_at_line(x == 4 ? 4 : 0, 0, "file", 7, "not twice");
  if (error_message_count != 2)
    return 11;
  if (x == 4)
    error_at_line(4, 0, NULL, 0, "x is %d", x);
  error_print_progname = name;
  error(x == 5 ? 5 : 0, 0, "the last");
  return named == 1 ? 0 : 12;
}
