// Regular expressions in all syntaxes, of many random patterns: messages, matches and groups.
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long seed = 88172645463325252;

static unsigned choose(unsigned bound) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)(seed >> 11) % bound;
}

// Not among them are nested repetitions of what may be empty, and anchors before or after a newline that matches:
// there, glibc does not do what its manual says.
static const char *const pieces[] = {
    "a", "b", "c", "a", "b", ".", "*", "+", "?", "(", ")", "\\(", "\\)", "|", "\\|", "[ab]", "[^a]", "[a-b", "]",
    "[[:alpha:]]", "[[:upper:]", "{1,2}", "\\{1,2\\}", "{2}", "\\{,2\\}", "{", "}", "{0}", "{0,1}", "{2,", "\\1", "^",
    "$", "\\<", "\\>", "\\b", "\\B", "\\w", "\\W", "\\s", "\\`", "\\'", "-", "[]a]", "[a-]", "[-a]", "[b-a]", "A", "B",
    "\\", "[[.a.]-c]", "[[=b=]]", "[a\\]b]", "\\+", "\\?", "_", " ", ")*", "\\)*", "(a", "\\(a", "(a|b)", "\\(a\\|b\\)",
    "()", "[a-b-c]", "\\a", "[", "[^]a]", "\xe4",
};

static const reg_syntax_t syntaxes[] = {
    RE_SYNTAX_EMACS,       RE_SYNTAX_GREP,           RE_SYNTAX_EGREP,
    RE_SYNTAX_AWK,         RE_SYNTAX_GNU_AWK,        RE_SYNTAX_POSIX_AWK,
    RE_SYNTAX_POSIX_BASIC, RE_SYNTAX_POSIX_EXTENDED, RE_SYNTAX_POSIX_MINIMAL_BASIC,
    RE_SYNTAX_SED,         RE_SYNTAX_GREP | RE_ICASE, RE_SYNTAX_POSIX_EXTENDED | RE_ICASE,
};

static void choose_text(char *text) {
  unsigned length = choose(9);
  for (unsigned i = 0; i < length; i++) text[i] = "aabbcAB_ 1\xe4"[choose(11)];
  text[length] = 0;
}

static void posix(const char *pattern) {
  regex_t expression;
  char text[16], message[64];
  int error = regcomp(&expression, pattern, choose(16));
  if (error) {
    regerror(error, &expression, message, sizeof message);
    printf("  %s\n", message);
    return;
  }
  printf("  %zu:", expression.re_nsub);
  for (int i = 0; i < 4; i++) {
    regmatch_t found[3] = {{7, 7}, {7, 7}, {7, 7}};
    choose_text(text);
    printf(" %d", regexec(&expression, text, choose(4), found, choose(4)));
    for (int group = 0; group < 3; group++) printf(" %d-%d", (int)found[group].rm_so, (int)found[group].rm_eo);
  }
  putchar('\n');
  regfree(&expression);
}

static void gnu(const char *pattern) {
  struct re_pattern_buffer expression = {0};
  struct re_registers registers = {0};
  char text[16];
  re_set_syntax(syntaxes[choose(sizeof syntaxes / sizeof *syntaxes)]);
  const char *error = re_compile_pattern(pattern, strlen(pattern), &expression);
  if (error) {
    printf("  %s\n", error);
    regfree(&expression);
    return;
  }
  for (int i = 0; i < 4; i++) {
    choose_text(text);
    int length = (int)strlen(text), start = (int)choose((unsigned)length + 1);
    expression.not_bol = choose(2);
    expression.not_eol = choose(2);
    int range = (int)choose(2 * (unsigned)length + 2) - length;
    int at = choose(4) == 0 ? re_match(&expression, text, length, start, &registers)
                            : re_search(&expression, text, length, start, range, &registers);
    printf("  %d", at);
    for (unsigned group = 0; at >= 0 && group < registers.num_regs; group++)
      printf(" %d-%d", registers.start[group], registers.end[group]);
  }
  putchar('\n');
  free(registers.start);
  free(registers.end);
  regfree(&expression);
}

int main(void) {
  for (int i = 0; i < 4000; i++) {
    char pattern[128] = "";
    unsigned count = 1 + choose(6);
    for (unsigned piece = 0; piece < count; piece++) strcat(pattern, pieces[choose(sizeof pieces / sizeof *pieces)]);
    puts(pattern);
    if (i % 3 == 0) posix(pattern);
    else gnu(pattern);
  }
  return 0;
}
