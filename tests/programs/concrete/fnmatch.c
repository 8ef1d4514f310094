// fnmatch, with all flags, brackets of every kind, and GNU's patterns in parentheses.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>

static const char *const patterns[] = {
    "*.c", "a?c", "[a-c]*", "[!a]bc", "[^a]bc", "[[:alpha:]]*", "[[:lower:][:digit:]]", "[[=a=]b]", "[[.-.]x]", "[b-a]",
    "[a", "a[]", "[]a]", "a\\*c", "a\\", "*/b", "a/*", "*", ".*", "?x", "[.]x", "a*b*c", "A*C", "[a/]b", "**", "*\\/b",
    "+(a|b)", "*(ab)c", "?(x)y", "@(a|bc)d", "!(a)", "!(*.c)", "+([0-9])", "*(*(a))", "@(a", "a+(b)*", "*@(c)", "[[:bad:]]",
    "!()", "x!(y)z",
};
static const char *const texts[] = {"", "a", "abc", "x.c", ".x", "a/b", "a/.b", "a*c", "ABC", "b", "-", "]", "aab", "ababc",
                                    "y", "xy", "bcd", "123", "[a", "xz", "xyz", "a\\", "/b", "@(a", "abbq", "\xe4"};

int main(void) {
  for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    printf("%s:", patterns[i]);
    for (unsigned k = 0; k < sizeof texts / sizeof *texts; k++) {
      unsigned found = 0;
      for (int flags = 0; flags < 64; flags += 3) found = found * 2 + !fnmatch(patterns[i], texts[k], flags);
      printf(" %x", found);
    }
    putchar('\n');
  }
  return 0;
}
