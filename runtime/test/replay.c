/* Asks for input through every interface and then ends in the way that its argument names. */
#include <crest.h>
#include <klee/klee.h>
#include <score.h>
#include <stdio.h>
#include <string.h>
#include <svcomp.h>

#include "../replay/replay.h"

int main(int argc, char **argv) {
  int a, b;
  unsigned char c;
  __secateur_block(0);
  CREST_int(a);
  SYM_int(b, "bee");
  SYM_unsigned_char(c);
  int r = 3 + klee_range(0, 10, "r");
  double d = __VERIFIER_nondet_double();
  for (int i = 0; i < a; i++) __secateur_branch(1, 1);
  __secateur_branch(1, 0);
  __secateur_branch(2, 70);
  __secateur_block(2);
  const char *mode = argc > 1 ? argv[1] : "";
  const char *text = strcmp(mode, "misnamed") == 0 || strcmp(mode, "resized") == 0 ? "text" : __VERIFIER_nondet_string();
  printf("%d %d %d %d %g %s\n", a, b, c, r, d, text);
  char extra[3];
  if (strcmp(mode, "assume") == 0) klee_assume(a == 0);
  if (strcmp(mode, "silent") == 0) klee_silent_exit(0);
  if (strcmp(mode, "error") == 0) reach_error();
  if (strcmp(mode, "report") == 0) klee_report_error("file.c", 7, "message", "suffix");
  if (strcmp(mode, "assert") == 0) klee_assert(a == 0);
  if (strcmp(mode, "unreachable") == 0) __secateur_unreachable();
  if (strcmp(mode, "more") == 0) return klee_int("more");
  if (strcmp(mode, "misnamed") == 0) return klee_int("other");
  if (strcmp(mode, "resized") == 0) klee_make_symbolic(extra, sizeof extra, "__VERIFIER_nondet_string");
  return 0;
}
