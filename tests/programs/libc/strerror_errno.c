// errno keeps its value, and its text is found.
//! exits: 0 1
#include <errno.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  int x = klee_int("x");
  errno = x == 3 ? EINVAL : 0;
  const char *text = strerror(errno);
  if (!text || !*text)
    return 9;
  if (errno == EINVAL)
    return 1;
  return 0;
}
