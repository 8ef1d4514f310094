/* strverscmp over all pairs of short texts, and the messages of error and error_at_line. */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <string.h>

static int sign(int value) { return (value > 0) - (value < 0); }

static void make(char *text, int number) {
  for (; number > 0; number /= 6) *text++ = "\0" "0129a"[number % 6];
  *text = 0;
}

static void name(void) { fprintf(stderr, "named"); }

int main(void) {
  for (int i = 0; i < 1296; i++)
    for (int j = 0; j < 1296; j++) {
      char a[8], b[8];
      make(a, i), make(b, j);
      printf("%d", sign(strverscmp(a, b)));
    }
  printf("\nnot flushed yet\n");
  error(0, 0, "plain %d", 7);
  error(0, ENOENT, "with a reason");
  error_at_line(0, EINVAL, "file", 3, "at %s", "a line");
  error_at_line(0, 0, NULL, 3, "no file");
  error_one_per_line = 1;
  error_at_line(0, 0, "file", 4, "once");
  error_at_line(0, 0, "file", 4, "not twice");
  error_at_line(0, 0, "file", 5, "another line");
  error_print_progname = name;
  error_at_line(0, 0, "file", 6, "own name");
  printf("%u messages\n", error_message_count);
  error(3, 0, "the end");
  return 0;
}
