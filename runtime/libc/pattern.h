/* Compiled regular expressions: a nondeterministic automaton whose choices are in the order of their preference.
 * pattern_parse.c makes one of a text, pattern_match.c looks for it in another, regex.c has the functions that
 * programs call. The syntaxes are those of glibc's <regex.h>, and so is what matches. */
#ifndef SECATEUR_PATTERN_H
#define SECATEUR_PATTERN_H

#include <regex.h>
#include <stddef.h>

/* What glibc's <regex.h> has and musl's lacks. */
#define REG_STARTEND (1 << 2)
#define REG_ESIZE 15
#define REG_ERPAREN 16

/* The bits of a syntax, as in glibc's <regex.h>. */
typedef unsigned long syntax_bits;
enum {
  BACKSLASH_ESCAPES_IN_LISTS = 1 << 0,
  BACKSLASH_PLUS_QUESTION = 1 << 1,
  CHARACTER_CLASSES = 1 << 2,
  ANCHORS_ANYWHERE = 1 << 3,
  OPERATORS_ANYWHERE = 1 << 4,
  MISPLACED_OPERATORS_FAIL = 1 << 5,
  DOT_MATCHES_NEWLINE = 1 << 6,
  DOT_NOT_NULL = 1 << 7,
  NEGATED_LISTS_NOT_NEWLINE = 1 << 8,
  INTERVALS = 1 << 9,
  LIMITED_OPERATORS = 1 << 10,
  NEWLINE_SEPARATES = 1 << 11,
  PLAIN_BRACES = 1 << 12,
  PLAIN_PARENTHESES = 1 << 13,
  NO_BACK_REFERENCES = 1 << 14,
  PLAIN_BAR = 1 << 15,
  EMPTY_RANGES_FAIL = 1 << 16,
  LONE_CLOSING_IS_PLAIN = 1 << 17,
  NO_GNU_OPERATORS = 1 << 19,
  BAD_INTERVAL_IS_PLAIN = 1 << 21,
  IGNORE_CASE = 1 << 22,
  CARETS_ANYWHERE = 1 << 23,
  MISPLACED_INTERVALS_FAIL = 1 << 24,
  NO_GROUPS_WANTED = 1 << 25,
};

enum assertion { LINE_START, LINE_END, TEXT_START, TEXT_END, WORD_START, WORD_END, WORD_EDGE, NO_WORD_EDGE };

enum node_kind {
  MATCHED,
  ONE_OF,       /* a byte of a set */
  EITHER,       /* `next`, or else `other` */
  GROUP_START,
  GROUP_END,
  ASSERTION,
  SAME_AGAIN,   /* what a group has matched */
};

struct node {
  enum node_kind kind;
  int next;
  int other;
  int number; /* of the set, the group or the assertion */
};

/* A set of bytes: a table, since a look into a table takes no branch. */
struct byte_set {
  unsigned char has[256];
};

/* One piece of memory, without pointers. */
struct pattern {
  size_t groups; /* without the whole match */
  int first;
  int node_count;
  int set_count;
  unsigned char has_references, may_be_empty;
  unsigned char mapped[256];      /* what a byte is taken for */
  unsigned char optional[64];     /* bits: the first groups that are repeated by * and the like */
  struct byte_set starts;         /* what a match that is not empty starts with */
  struct node nodes[];            /* followed by the sets */
};

static inline const struct byte_set *sets_of(const struct pattern *pattern) {
  return (const struct byte_set *)(pattern->nodes + pattern->node_count);
}

/* The text in which a pattern is looked for. */
struct subject {
  const unsigned char *text;
  size_t length;
  size_t stop; /* matches end here, but what follows is seen */
  unsigned char no_line_start, no_line_end, newline_ends_line;
};

/* Makes a pattern, in memory that `*pattern` may already point to; an error number of <regex.h>. `translate` has 256
 * entries, or is null. */
int __secateur_pattern_parse(struct pattern **pattern, const char *text, size_t length, syntax_bits syntax,
                             const unsigned char *translate);

/* The longest match that starts at `start`: 0, 1 if there is none, or REG_ESPACE. `found` has room for the whole match
 * and `count - 1` groups. */
int __secateur_pattern_match(const struct pattern *pattern, const struct subject *subject, size_t start,
                             regmatch_t *found, size_t count);

#endif
