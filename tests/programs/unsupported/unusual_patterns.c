// Years of eras end the path where they are read; usual patterns and dates do not, nor do GNU's.
//! exits: 0
//! unsupported: external function `__secateur_strptime_modifier`
//! paths[O0]: 8
#define _GNU_SOURCE
#include <fnmatch.h>
#include <klee/klee.h>
#include <regex.h>
#include <string.h>
#include <time.h>

int main(void) {
  struct tm date = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29, .tm_wday = 4, .tm_yday = 59};
  char text[32];
  regex_t regex;
  switch (klee_range(0, 9, "case")) {
  case 0: return fnmatch("[a-c]*", "bx", 0);
  case 1: return fnmatch("[c-a]", "a", 0) != FNM_NOMATCH;
  case 2: return fnmatch("a\\", "a\\", 0) != FNM_NOMATCH;
  case 3: return regcomp(&regex, "^(a|b)*c$", REG_EXTENDED) || regexec(&regex, "abac", 0, 0, 0);
  case 4: return regcomp(&regex, "a{", REG_EXTENDED) == 0;
  case 5: return strftime(text, sizeof text, "%Y-%m-%d %a", &date) != 14 || strcmp(text, "2024-02-29 Thu") != 0;
  case 6: return strftime(text, sizeof text, "%-d %P", &date) != 5;
  case 7: return strptime("5", "%Ey", &date) != 0;
  default: return 0;
  }
}
