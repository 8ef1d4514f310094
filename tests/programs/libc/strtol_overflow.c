// Numbers that are too large saturate and set errno.
//! exits: 0 1
#include <errno.h>
#include <klee/klee.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  char s[] = "922337203685477580?";
  klee_make_symbolic(&s[18], 1, "digit");
  if (s[18] < '0' || s[18] > '9')
    return 0;
  errno = 0;
  long n = strtol(s, NULL, 10);
  if (errno == ERANGE) {
    klee_assert(n == LONG_MAX && s[18] > '7');
    return 1;
  }
  klee_assert(n % 10 == s[18] - '0');
  return 0;
}
