// Strings whose ends are anywhere.
#include <klee/klee.h>
#include <string.h>
int main(void) {
  static char a[2000], b[2000];
  klee_make_symbolic(a, sizeof a - 1, "a");
  klee_make_symbolic(b, sizeof b - 1, "b");
  return strcmp(a, b) < 0 ? (int)strspn(a, b) : (int)strlen(strstr(b, a) ? b : a);
}
