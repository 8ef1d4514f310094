// A prefix says what becomes of operands: `+` stops at the first, like POSIXLY_CORRECT, and `-` returns each.
//! exits: 0 1 2 3 4
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *vector[] = {"p", "-bq", "one", "-a", "two", "--", "-a", NULL};

static int scan(const char *options, const char *expected, int end) {
  char found[16] = "";
  int option, count = 0;
  while ((option = getopt(7, vector, options)) != -1 && count < 8) {
    found[count++] = (char)(option == 1 ? optarg[0] : option);
    if (option == 'a' && optarg != NULL)
      return 0;
  }
  return strcmp(found, expected) == 0 && optind == end;
}

int main(void) {
  switch (klee_int("order")) {
  case 1:
    return scan("+ab:", "b", 2) ? 1 : 10;
  case 2:
    return scan("-ab:", "boat", 6) ? 2 : 10;
  case 3:
    setenv("POSIXLY_CORRECT", "", 1);
    return scan("ab:", "b", 2) ? 3 : 10;
  case 4:
    return scan("ab:", "ba", 4) && strcmp(vector[3], "--") == 0 && strcmp(vector[4], "one") == 0 ? 4 : 10;
  }
  return 0;
}
