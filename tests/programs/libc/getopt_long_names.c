// Long options may be abbreviated unless that is ambiguous; with getopt_long_only, one dash is enough.
//! exits: 0 1 2 3 4 5 6 7
#include <getopt.h>
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>

static const struct option longs[] = {
    {"color", no_argument, NULL, 'c'},
    {"colour", no_argument, NULL, 'c'},
    {"count", required_argument, NULL, 'n'},
    {"quiet", no_argument, NULL, 'q'},
    {"quality", optional_argument, NULL, 'Q'},
    {NULL, 0, NULL, 0},
};

static int only;

static int parse(char *argument, const char *text, int value) {
  char *vector[] = {"p", "operand", argument, NULL};
  int index = -1;
  int option = only ? getopt_long_only(3, vector, "vq", longs, &index) : getopt_long(3, vector, "vq", longs, &index);
  if (option == '?')
    return value == '?' && index == -1 && optarg == NULL;
  int same = text == NULL ? optarg == NULL : optarg != NULL && strcmp(optarg, text) == 0;
  return option == value && same && optind == 3;
}

int main(void) {
  opterr = 0;
  switch (klee_int("which")) {
  case 1:
    return parse("--col", NULL, 'c') ? 1 : 10;
  case 2:
    return parse("--co", NULL, '?') && optopt == 0 ? 2 : 10;
  case 3:
    return parse("--cou=7", "7", 'n') ? 3 : 10;
  case 4:
    return parse("--count", NULL, '?') && optopt == 'n' ? 4 : 10;
  case 5:
    return parse("--quiet=1", NULL, '?') && optopt == 'q' ? 5 : 10;
  case 6:
    only = 1;
    return parse("-qual=high", "high", 'Q') ? 6 : 10;
  case 7:
    only = 1;
    return parse("-v", NULL, 'v') ? 7 : 10;
  }
  return 0;
}
