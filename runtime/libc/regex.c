/* Regular expressions as programs use them: the functions of POSIX, and those of GNU, whose syntax is chosen by bits. */
#include "pattern.h"
#include "replaceable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The layout of glibc's <regex.h>, which programs are compiled with. */
struct gnu_pattern {
  struct pattern *buffer;
  unsigned long allocated, used;
  syntax_bits syntax;
  char *fastmap;
  unsigned char *translate;
  size_t groups;
  unsigned can_be_null : 1, regs_allocated : 2, fastmap_accurate : 1, no_groups : 1, no_line_start : 1,
      no_line_end : 1, newline_anchor : 1;
};
_Static_assert(sizeof(struct gnu_pattern) == sizeof(regex_t), "regex_t has another size");

enum { NOT_ALLOCATED, REALLOCATED, FIXED };

struct gnu_registers {
  unsigned count;
  regoff_t *start, *end;
};

#define BASIC_SYNTAX                                                                                        \
  (CHARACTER_CLASSES | DOT_MATCHES_NEWLINE | DOT_NOT_NULL | INTERVALS | EMPTY_RANGES_FAIL |                 \
   BACKSLASH_PLUS_QUESTION | MISPLACED_INTERVALS_FAIL)
#define EXTENDED_SYNTAX                                                                                     \
  (CHARACTER_CLASSES | DOT_MATCHES_NEWLINE | DOT_NOT_NULL | INTERVALS | EMPTY_RANGES_FAIL |                 \
   ANCHORS_ANYWHERE | OPERATORS_ANYWHERE | PLAIN_BRACES | PLAIN_PARENTHESES | PLAIN_BAR |                   \
   MISPLACED_OPERATORS_FAIL | LONE_CLOSING_IS_PLAIN)

/* --- Errors --------------------------------------------------------------------------------- */

static const char *const errors[] = {
    "Success",
    "No match",
    "Invalid regular expression",
    "Invalid collation character",
    "Invalid character class name",
    "Trailing backslash",
    "Invalid back reference",
    "Unmatched [, [^, [:, [., or [=",
    "Unmatched ( or \\(",
    "Unmatched \\{",
    "Invalid content of \\{\\}",
    "Invalid range end",
    "Memory exhausted",
    "Invalid preceding regular expression",
    "Premature end of regular expression",
    "Regular expression too big",
    "Unmatched ) or \\)",
};

/* glibc ends the program if there is no such error. */
REPLACEABLE size_t regerror(int error, const regex_t *restrict expression, char *restrict text, size_t size) {
  (void)expression;
  if (error < 0 || (size_t)error >= sizeof errors / sizeof *errors) abort();
  return 1 + (size_t)snprintf(text, size, "%s", errors[error]);
}

/* --- Compiling ------------------------------------------------------------------------------ */

static int compile(struct gnu_pattern *expression, const char *text, size_t length, syntax_bits syntax) {
  expression->syntax = syntax;
  expression->fastmap_accurate = expression->no_line_start = expression->no_line_end = 0;
  expression->can_be_null = 0;
  expression->regs_allocated = NOT_ALLOCATED;
  expression->groups = expression->used = 0;
  /* Memory of an earlier expression is used again. */
  if (expression->allocated == 0) expression->buffer = NULL;
  int error = __secateur_pattern_parse(&expression->buffer, text, length, syntax, expression->translate);
  if (error) {
    free(expression->buffer);
    expression->buffer = NULL;
    expression->allocated = 0;
    return error;
  }
  expression->allocated = expression->used = 1;
  expression->groups = expression->buffer->groups;
  return 0;
}

REPLACEABLE int regcomp(regex_t *restrict result, const char *restrict text, int flags) {
  struct gnu_pattern *expression = (struct gnu_pattern *)result;
  syntax_bits syntax = flags & REG_EXTENDED ? EXTENDED_SYNTAX : BASIC_SYNTAX;
  if (flags & REG_ICASE) syntax |= IGNORE_CASE;
  if (flags & REG_NEWLINE) syntax = (syntax & ~(syntax_bits)DOT_MATCHES_NEWLINE) | NEGATED_LISTS_NOT_NEWLINE;
  *expression = (struct gnu_pattern){.newline_anchor = (flags & REG_NEWLINE) != 0, .no_groups = (flags & REG_NOSUB) != 0};
  int error = compile(expression, text, strlen(text), syntax);
  return error == REG_ERPAREN ? REG_EPAREN : error;
}

REPLACEABLE void regfree(regex_t *expression) {
  struct gnu_pattern *given = (struct gnu_pattern *)expression;
  free(given->buffer);
  free(given->fastmap);
  free(given->translate);
  given->buffer = NULL;
  given->fastmap = NULL;
  given->translate = NULL;
  given->allocated = 0;
}

REPLACEABLE syntax_bits re_syntax_options;

syntax_bits re_set_syntax(syntax_bits);
REPLACEABLE syntax_bits re_set_syntax(syntax_bits syntax) {
  syntax_bits old = re_syntax_options;
  re_syntax_options = syntax;
  return old;
}

const char *re_compile_pattern(const char *, size_t, struct gnu_pattern *);
REPLACEABLE const char *re_compile_pattern(const char *text, size_t length, struct gnu_pattern *expression) {
  expression->no_groups = (re_syntax_options & NO_GROUPS_WANTED) != 0;
  expression->newline_anchor = 1;
  int error = compile(expression, text, length, re_syntax_options);
  return error ? errors[error] : NULL;
}

int re_compile_fastmap(struct gnu_pattern *);
REPLACEABLE int re_compile_fastmap(struct gnu_pattern *expression) {
  const struct pattern *pattern = expression->buffer;
  for (int byte = 0; byte < 256; byte++)
    expression->fastmap[byte] = pattern->may_be_empty || pattern->starts.has[byte];
  expression->can_be_null = pattern->may_be_empty;
  expression->fastmap_accurate = 1;
  return 0;
}

/* --- Matching ------------------------------------------------------------------------------- */

/* Looks for a match that starts between two places, from the first to the last; 0, 1 if there is none, or an error. */
static int search(const struct pattern *pattern, const struct subject *subject, regoff_t first, regoff_t last,
                  regmatch_t *found, size_t count) {
  regoff_t step = first <= last ? 1 : -1;
  for (regoff_t start = first;; start += step) {
    int result = __secateur_pattern_match(pattern, subject, (size_t)start, found, count);
    if (result != REG_NOMATCH || start == last) return result;
  }
}

REPLACEABLE int regexec(const regex_t *restrict given, const char *restrict text, size_t count,
                        regmatch_t found[restrict], int flags) {
  const struct gnu_pattern *expression = (const struct gnu_pattern *)given;
  if (flags & ~(REG_NOTBOL | REG_NOTEOL | REG_STARTEND)) return REG_BADPAT;
  regoff_t start = 0, length;
  if (flags & REG_STARTEND) {
    start = found[0].rm_so;
    length = found[0].rm_eo;
  } else {
    length = (regoff_t)strlen(text);
  }
  struct subject subject = {(const unsigned char *)text, (size_t)length, (size_t)length, (flags & REG_NOTBOL) != 0,
                            (flags & REG_NOTEOL) != 0, expression->newline_anchor};
  if (start > length || start < 0) return REG_NOMATCH;
  if (expression->no_groups) return search(expression->buffer, &subject, start, length, NULL, 0);
  if (count == 0) return search(expression->buffer, &subject, start, length, NULL, 0);
  /* What was given stays if there is no match. */
  regmatch_t *matches = malloc(count * sizeof *matches);
  if (matches == NULL) return REG_ESPACE;
  int result = search(expression->buffer, &subject, start, length, matches, count);
  if (result == 0) memcpy(found, matches, count * sizeof *matches);
  free(matches);
  return result;
}

/* Copies matches to registers, and makes room for them if the expression says so; 0 if there is no memory. */
static int copy_registers(struct gnu_pattern *expression, struct gnu_registers *registers, const regmatch_t *found,
                          size_t count) {
  unsigned wanted = (unsigned)count + 1;
  if (expression->regs_allocated == NOT_ALLOCATED ||
      (expression->regs_allocated == REALLOCATED && wanted > registers->count)) {
    int is_new = expression->regs_allocated == NOT_ALLOCATED;
    regoff_t *start = realloc(is_new ? NULL : registers->start, wanted * sizeof *start);
    if (start == NULL) return 0;
    registers->start = start;
    regoff_t *end = realloc(is_new ? NULL : registers->end, wanted * sizeof *end);
    if (end == NULL) {
      if (is_new) free(start);
      return 0;
    }
    registers->end = end;
    registers->count = wanted;
    expression->regs_allocated = REALLOCATED;
  }
  for (unsigned i = 0; i < registers->count; i++) {
    registers->start[i] = i < count ? found[i].rm_so : -1;
    registers->end[i] = i < count ? found[i].rm_eo : -1;
  }
  return 1;
}

/* Searches, or matches at the start only; what matched, or -1 if there is none, or -2 for an error. */
static regoff_t search_in(struct gnu_pattern *expression, const char *text, regoff_t length, regoff_t start,
                          regoff_t range, regoff_t stop, struct gnu_registers *registers, int wants_length) {
  if (start < 0 || start > length) return -1;
  long last = (long)start + range;
  if (last < 0) last = 0;
  if (last > length) last = length;
  struct subject subject = {(const unsigned char *)text, (size_t)length, (size_t)stop, expression->no_line_start,
                            expression->no_line_end, expression->newline_anchor};
  if (start <= last && expression->fastmap != NULL && !expression->fastmap_accurate) re_compile_fastmap(expression);
  if (expression->no_groups) registers = NULL;
  size_t count = 1;
  if (registers != NULL) {
    count = expression->groups + 1;
    if (expression->regs_allocated == FIXED && registers->count < count) count = registers->count;
    if (count == 0) {
      registers = NULL;
      count = 1;
    }
  }
  regmatch_t *found = malloc(count * sizeof *found);
  if (found == NULL) return -2;
  int result = search(expression->buffer, &subject, start, (regoff_t)last, found, count);
  regoff_t answer = result == REG_NOMATCH ? -1 : result != 0 ? -2 : wants_length ? found[0].rm_eo - start : found[0].rm_so;
  if (result == 0 && registers != NULL && !copy_registers(expression, registers, found, count)) answer = -2;
  free(found);
  return answer;
}

regoff_t re_search(struct gnu_pattern *, const char *, regoff_t, regoff_t, regoff_t, struct gnu_registers *);
REPLACEABLE regoff_t re_search(struct gnu_pattern *expression, const char *text, regoff_t length, regoff_t start,
                               regoff_t range, struct gnu_registers *registers) {
  return search_in(expression, text, length, start, range, length, registers, 0);
}

regoff_t re_match(struct gnu_pattern *, const char *, regoff_t, regoff_t, struct gnu_registers *);
REPLACEABLE regoff_t re_match(struct gnu_pattern *expression, const char *text, regoff_t length, regoff_t start,
                              struct gnu_registers *registers) {
  return search_in(expression, text, length, start, 0, length, registers, 1);
}

/* The same in two texts, as if the second followed the first. */
static regoff_t search_in_both(struct gnu_pattern *expression, const char *first, regoff_t first_length,
                               const char *second, regoff_t second_length, regoff_t start, regoff_t range,
                               struct gnu_registers *registers, regoff_t stop, int wants_length) {
  regoff_t length;
  if (first_length < 0 || second_length < 0 || stop < 0 || __builtin_add_overflow(first_length, second_length, &length))
    return -2;
  if (stop > length) stop = length;
  if (first_length == 0 || second_length == 0)
    return search_in(expression, second_length > 0 ? second : first, length, start, range, stop, registers, wants_length);
  char *both = malloc((size_t)length);
  if (both == NULL) return -2;
  memcpy(both, first, (size_t)first_length);
  memcpy(both + first_length, second, (size_t)second_length);
  regoff_t answer = search_in(expression, both, length, start, range, stop, registers, wants_length);
  free(both);
  return answer;
}

regoff_t re_search_2(struct gnu_pattern *, const char *, regoff_t, const char *, regoff_t, regoff_t, regoff_t,
                     struct gnu_registers *, regoff_t);
REPLACEABLE regoff_t re_search_2(struct gnu_pattern *expression, const char *first, regoff_t first_length,
                                 const char *second, regoff_t second_length, regoff_t start, regoff_t range,
                                 struct gnu_registers *registers, regoff_t stop) {
  return search_in_both(expression, first, first_length, second, second_length, start, range, registers, stop, 0);
}

regoff_t re_match_2(struct gnu_pattern *, const char *, regoff_t, const char *, regoff_t, regoff_t,
                    struct gnu_registers *, regoff_t);
REPLACEABLE regoff_t re_match_2(struct gnu_pattern *expression, const char *first, regoff_t first_length,
                                const char *second, regoff_t second_length, regoff_t start,
                                struct gnu_registers *registers, regoff_t stop) {
  return search_in_both(expression, first, first_length, second, second_length, start, 0, registers, stop, 1);
}

void re_set_registers(struct gnu_pattern *, struct gnu_registers *, unsigned, regoff_t *, regoff_t *);
REPLACEABLE void re_set_registers(struct gnu_pattern *expression, struct gnu_registers *registers, unsigned count,
                                  regoff_t *start, regoff_t *end) {
  expression->regs_allocated = count > 0 ? REALLOCATED : NOT_ALLOCATED;
  *registers = (struct gnu_registers){count, count > 0 ? start : NULL, count > 0 ? end : NULL};
}

/* --- BSD ------------------------------------------------------------------------------------ */

static struct gnu_pattern last_compiled;

char *re_comp(const char *);
REPLACEABLE char *re_comp(const char *text) {
  if (text == NULL) return last_compiled.buffer == NULL ? "No previous regular expression" : NULL;
  last_compiled.newline_anchor = 1;
  int error = compile(&last_compiled, text, strlen(text), re_syntax_options);
  return error ? (char *)errors[error] : NULL;
}

int re_exec(const char *);
REPLACEABLE int re_exec(const char *text) {
  regoff_t length = (regoff_t)strlen(text);
  return search_in(&last_compiled, text, length, 0, length, length, NULL, 0) >= 0;
}
