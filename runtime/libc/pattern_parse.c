/* Makes an automaton of a regular expression: first a tree, then nodes. Characters are bytes, as in the locale C. */
#include "pattern.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The most repetitions. */
#define MOST_REPEATED 0x7fff

/* --- Trees ---------------------------------------------------------------------------------- */

enum tree_kind { T_EMPTY, T_SET, T_ASSERTION, T_REFERENCE, T_SEQUENCE, T_CHOICE, T_GROUP, T_REPEATED };

struct tree {
  enum tree_kind kind;
  int left, right;
  int number;
  int least, most; /* of repetitions; most is -1 if there is no limit */
};

enum token_kind {
  END,
  BYTE,
  ANY,
  STAR,
  PLUS,
  QUESTION,
  OPEN_INTERVAL,
  CLOSE_INTERVAL,
  OPEN_GROUP,
  CLOSE_GROUP,
  OR,
  OPEN_LIST,
  ASSERT,
  REFERENCE,
  CLASS,
  LONE_BACKSLASH,
};

struct token {
  enum token_kind kind;
  unsigned char byte; /* the character; of a class, its letter */
  int number;         /* of an assertion or a group */
  size_t length;
};

struct parser {
  const unsigned char *text;
  size_t length, at;
  syntax_bits syntax;
  const unsigned char *translate;
  unsigned char mapped[256];
  struct token token;
  int error;

  struct tree *trees;
  int tree_count, tree_room;
  struct byte_set *sets; /* of mapped bytes */
  int set_count, set_room;
  int groups;
  unsigned closed; /* bits: groups that a reference may name */
  unsigned char optional[64];
  unsigned char has_references;

  struct node *nodes;
  int node_count, node_room;
};

/* Room for one more entry of a growing array; null if there is no memory. */
static void *one_more(struct parser *parser, void *array, int count, int *room, size_t size) {
  if (count < *room) return array;
  int wanted = *room == 0 ? 16 : 2 * *room;
  void *grown = realloc(array, (size_t)wanted * size);
  if (grown == NULL) {
    parser->error = REG_ESPACE;
    return NULL;
  }
  *room = wanted;
  return grown;
}

/* Adds a tree and returns its number; 0 is the empty one, which errors lead to as well. */
static int add_tree(struct parser *parser, struct tree tree) {
  struct tree *trees = one_more(parser, parser->trees, parser->tree_count, &parser->tree_room, sizeof tree);
  if (trees == NULL) return 0;
  parser->trees = trees;
  trees[parser->tree_count] = tree;
  return parser->tree_count++;
}

static struct byte_set *add_set(struct parser *parser) {
  struct byte_set *sets = one_more(parser, parser->sets, parser->set_count, &parser->set_room, sizeof *sets);
  if (sets == NULL) return NULL;
  parser->sets = sets;
  struct byte_set *set = &sets[parser->set_count++];
  memset(set, 0, sizeof *set);
  return set;
}

/* A tree for the set that was added last. */
static int last_set(struct parser *parser) {
  return add_tree(parser, (struct tree){.kind = T_SET, .number = parser->set_count - 1});
}

static int two(struct parser *parser, enum tree_kind kind, int left, int right) {
  if (kind == T_SEQUENCE && left == 0) return right;
  if (kind == T_SEQUENCE && right == 0) return left;
  return add_tree(parser, (struct tree){.kind = kind, .left = left, .right = right});
}

/* --- Tokens --------------------------------------------------------------------------------- */

static int has(const struct parser *parser, syntax_bits bit) { return (parser->syntax & bit) != 0; }

static struct token token_at(const struct parser *parser, size_t at, int caret_is_anchor);

static struct token assertion(enum assertion which, unsigned char byte, size_t length) {
  return (struct token){ASSERT, byte, which, length};
}

/* What is special after a backslash. */
static struct token escaped(const struct parser *parser, unsigned char byte) {
  enum token_kind kind = BYTE;
  int limited = has(parser, LIMITED_OPERATORS), gnu = !has(parser, NO_GNU_OPERATORS);
  switch (byte) {
    case '|': kind = !limited && !has(parser, PLAIN_BAR) ? OR : BYTE; break;
    case '(': kind = !has(parser, PLAIN_PARENTHESES) ? OPEN_GROUP : BYTE; break;
    case ')': kind = !has(parser, PLAIN_PARENTHESES) ? CLOSE_GROUP : BYTE; break;
    case '+': kind = !limited && has(parser, BACKSLASH_PLUS_QUESTION) ? PLUS : BYTE; break;
    case '?': kind = !limited && has(parser, BACKSLASH_PLUS_QUESTION) ? QUESTION : BYTE; break;
    case '{': kind = has(parser, INTERVALS) && !has(parser, PLAIN_BRACES) ? OPEN_INTERVAL : BYTE; break;
    case '}': kind = has(parser, INTERVALS) && !has(parser, PLAIN_BRACES) ? CLOSE_INTERVAL : BYTE; break;
    case '1' ... '9':
      if (!has(parser, NO_BACK_REFERENCES)) return (struct token){REFERENCE, byte, byte - '1', 2};
      break;
    case 'w':
    case 'W':
    case 's':
    case 'S': kind = gnu ? CLASS : BYTE; break;
    default:
      if (!gnu) break;
      if (byte == '<') return assertion(WORD_START, byte, 2);
      if (byte == '>') return assertion(WORD_END, byte, 2);
      if (byte == 'b') return assertion(WORD_EDGE, byte, 2);
      if (byte == 'B') return assertion(NO_WORD_EDGE, byte, 2);
      if (byte == '`') return assertion(TEXT_START, byte, 2);
      if (byte == '\'') return assertion(TEXT_END, byte, 2);
  }
  return (struct token){kind, byte, 0, 2};
}

static int dollar_is_anchor(const struct parser *parser, size_t at) {
  if (has(parser, ANCHORS_ANYWHERE) || at + 1 == parser->length) return 1;
  enum token_kind next = token_at(parser, at + 1, 0).kind;
  return next == OR || next == CLOSE_GROUP;
}

static int caret_is_anchor_at(const struct parser *parser, size_t at, int caret_is_anchor) {
  if (caret_is_anchor || has(parser, ANCHORS_ANYWHERE) || has(parser, CARETS_ANYWHERE) || at == 0) return 1;
  return has(parser, NEWLINE_SEPARATES) && parser->mapped[parser->text[at - 1]] == '\n';
}

static struct token token_at(const struct parser *parser, size_t at, int caret_is_anchor) {
  if (at >= parser->length) return (struct token){END, 0, 0, 0};
  unsigned char byte = parser->mapped[parser->text[at]];
  int limited = has(parser, LIMITED_OPERATORS);
  enum token_kind kind = BYTE;
  switch (byte) {
    case '\\':
      if (at + 1 == parser->length) return (struct token){LONE_BACKSLASH, byte, 0, 1};
      return escaped(parser, parser->text[at + 1]);
    case '\n': kind = has(parser, NEWLINE_SEPARATES) ? OR : BYTE; break;
    case '|': kind = !limited && has(parser, PLAIN_BAR) ? OR : BYTE; break;
    case '*': kind = STAR; break;
    case '+': kind = !limited && !has(parser, BACKSLASH_PLUS_QUESTION) ? PLUS : BYTE; break;
    case '?': kind = !limited && !has(parser, BACKSLASH_PLUS_QUESTION) ? QUESTION : BYTE; break;
    case '{': kind = has(parser, INTERVALS) && has(parser, PLAIN_BRACES) ? OPEN_INTERVAL : BYTE; break;
    case '}': kind = has(parser, INTERVALS) && has(parser, PLAIN_BRACES) ? CLOSE_INTERVAL : BYTE; break;
    case '(': kind = has(parser, PLAIN_PARENTHESES) ? OPEN_GROUP : BYTE; break;
    case ')': kind = has(parser, PLAIN_PARENTHESES) ? CLOSE_GROUP : BYTE; break;
    case '[': kind = OPEN_LIST; break;
    case '.': kind = ANY; break;
    case '^':
      if (caret_is_anchor_at(parser, at, caret_is_anchor)) return assertion(LINE_START, byte, 1);
      break;
    case '$':
      if (dollar_is_anchor(parser, at)) return assertion(LINE_END, byte, 1);
      break;
  }
  return (struct token){kind, byte, 0, 1};
}

/* Moves behind the token and reads the next one. */
static void advance(struct parser *parser, int caret_is_anchor) {
  parser->at += parser->token.length;
  parser->token = token_at(parser, parser->at, caret_is_anchor);
}

static int fail(struct parser *parser, int error) {
  if (parser->error == 0) parser->error = error;
  return 0;
}

/* --- Sets of bytes -------------------------------------------------------------------------- */

static const struct {
  const char *name;
  int (*has)(int);
} classes[] = {
    {"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"upper", isupper}, {"lower", islower},
    {"space", isspace}, {"blank", isblank}, {"punct", ispunct}, {"print", isprint}, {"graph", isgraph},
    {"cntrl", iscntrl}, {"xdigit", isxdigit},
};

/* Adds a class of characters; an error if there is none of that name. */
static int add_class(const struct parser *parser, struct byte_set *set, const char *name) {
  if (has(parser, IGNORE_CASE) && (!strcmp(name, "upper") || !strcmp(name, "lower"))) name = "alpha";
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (strcmp(name, classes[i].name) != 0) continue;
    for (int byte = 0; byte < 256; byte++)
      if (classes[i].has(byte)) set->has[parser->translate ? parser->translate[byte] : byte] = 1;
    return 0;
  }
  return REG_ECTYPE;
}

static void negate(struct byte_set *set) {
  for (int byte = 0; byte < 256; byte++) set->has[byte] = !set->has[byte];
}

static int byte_tree(struct parser *parser, unsigned char byte) {
  struct byte_set *set = add_set(parser);
  if (set == NULL) return 0;
  set->has[byte] = 1;
  return last_set(parser);
}

static int any_tree(struct parser *parser) {
  struct byte_set *set = add_set(parser);
  if (set == NULL) return 0;
  negate(set);
  if (!has(parser, DOT_MATCHES_NEWLINE)) set->has['\n'] = 0;
  if (has(parser, DOT_NOT_NULL)) set->has[0] = 0;
  return last_set(parser);
}

/* \w, \W, \s and \S. */
static int class_tree(struct parser *parser, unsigned char letter) {
  struct byte_set *set = add_set(parser);
  if (set == NULL) return 0;
  int is_word = letter == 'w' || letter == 'W';
  add_class(parser, set, is_word ? "alnum" : "space");
  if (is_word) set->has['_'] = 1;
  if (letter == 'W' || letter == 'S') negate(set);
  return last_set(parser);
}

/* What stands in a list: one byte, or a whole class. */
enum element_kind { ONE, SOME, HYPHEN, CLOSING };

struct element {
  enum element_kind kind;
  unsigned char byte;
};

/* Reads [:name:], [=c=] or [.c.], from behind the first two characters. */
static int read_named(struct parser *parser, struct byte_set *set, unsigned char mark, struct element *element) {
  char name[33];
  size_t length = 0;
  for (;; length++) {
    if (length == sizeof name - 1) return REG_EBRACK;
    if (parser->at + 1 >= parser->length) return REG_EBRACK;
    unsigned char raw = parser->text[parser->at++], byte = mark == ':' ? raw : parser->mapped[raw];
    if (byte == mark && parser->text[parser->at] == ']') break;
    name[length] = (char)byte;
  }
  parser->at++;
  name[length] = 0;
  if (mark == ':') {
    element->kind = SOME;
    return add_class(parser, set, name);
  }
  if (length != 1) return REG_ECOLLATE;
  *element = (struct element){mark == '=' ? SOME : ONE, (unsigned char)name[0]};
  if (mark == '=') set->has[element->byte] = 1;
  return 0;
}

/* The kind of what comes next in a list, without reading it. */
static struct element next_element(const struct parser *parser) {
  unsigned char byte = parser->mapped[parser->text[parser->at]];
  return (struct element){byte == ']' ? CLOSING : byte == '-' ? HYPHEN : ONE, byte};
}

static int read_element(struct parser *parser, struct byte_set *set, struct element *element) {
  if (parser->at >= parser->length) return REG_EBRACK;
  unsigned char byte = parser->mapped[parser->text[parser->at++]];
  *element = (struct element){ONE, byte};
  if (byte == '\\' && has(parser, BACKSLASH_ESCAPES_IN_LISTS) && parser->at < parser->length) {
    element->byte = parser->mapped[parser->text[parser->at++]];
  } else if (byte == '[' && parser->at < parser->length) {
    unsigned char mark = parser->text[parser->at];
    if (mark == '.' || mark == '=' || (mark == ':' && has(parser, CHARACTER_CLASSES))) {
      parser->at++;
      return read_named(parser, set, mark, element);
    }
  }
  return 0;
}

static int add_range(const struct parser *parser, struct byte_set *set, struct element from, struct element to) {
  if (from.kind == SOME || to.kind == SOME) return REG_ERANGE;
  if (from.byte > to.byte) return has(parser, EMPTY_RANGES_FAIL) ? REG_ERANGE : 0;
  for (int byte = from.byte; byte <= to.byte; byte++) set->has[byte] = 1;
  return 0;
}

/* Reads a list from behind its bracket up to the closing one. */
static int read_list(struct parser *parser, struct byte_set *set) {
  int is_first = 1, error = 0;
  while (error == 0) {
    if (parser->at >= parser->length) return REG_EBRACK;
    struct element next = next_element(parser), from, to;
    if (next.kind == CLOSING && !is_first) {
      parser->at++;
      return 0;
    }
    size_t before = parser->at;
    error = read_element(parser, set, &from);
    if (error) break;
    int is_hyphen = next.kind == HYPHEN && parser->at == before + 1 && !is_first;
    if (parser->at >= parser->length) return is_hyphen ? REG_ERANGE : REG_EBRACK;
    /* A hyphen that stands for itself is the first or the last, or both ends of a range. */
    enum element_kind follows = next_element(parser).kind;
    if (is_hyphen && follows != CLOSING && follows != HYPHEN) return REG_ERANGE;
    is_first = 0;
    int is_range = from.kind == ONE && follows == HYPHEN;
    if (is_range && parser->at + 1 >= parser->length) return REG_EBRACK;
    if (is_range) {
      parser->at++;
      if (next_element(parser).kind == CLOSING) {
        parser->at--;
        is_range = 0;
      }
    }
    if (is_range) {
      error = read_element(parser, set, &to);
      if (!error) error = add_range(parser, set, from, to);
    } else if (from.kind == ONE) {
      set->has[from.byte] = 1;
    }
  }
  return error;
}

static int list_tree(struct parser *parser) {
  parser->at += parser->token.length;
  struct byte_set *set = add_set(parser);
  if (set == NULL) return 0;
  int is_negated = parser->at < parser->length && parser->text[parser->at] == '^';
  if (is_negated) {
    parser->at++;
    if (has(parser, NEGATED_LISTS_NOT_NEWLINE)) set->has['\n'] = 1;
  }
  int error = parser->at < parser->length ? read_list(parser, set) : REG_BADPAT;
  if (error) return fail(parser, error);
  if (is_negated) negate(set);
  parser->token.length = 0;
  return last_set(parser);
}

/* --- Expressions ---------------------------------------------------------------------------- */

static int parse_choice(struct parser *parser, int depth);

static int parse_group(struct parser *parser, int depth) {
  int number = parser->groups++;
  advance(parser, 1);
  int inner = parser->token.kind == CLOSE_GROUP ? 0 : parse_choice(parser, depth + 1);
  if (parser->error) return 0;
  if (parser->token.kind != CLOSE_GROUP) return fail(parser, REG_EPAREN);
  if (number < 9) parser->closed |= 1U << number;
  return add_tree(parser, (struct tree){.kind = T_GROUP, .left = inner, .number = number});
}

/* A number of an interval: -1 if there is none, -2 if it is something else. The token behind it is read. */
static int read_number(struct parser *parser) {
  int number = -1;
  for (;;) {
    advance(parser, 0);
    struct token token = parser->token;
    if (token.kind == END) return -2;
    if (token.kind == CLOSE_INTERVAL || (token.kind == BYTE && token.byte == ',')) return number;
    if (token.kind != BYTE || !isdigit(token.byte) || number == -2) number = -2;
    else number = number == -1 ? token.byte - '0' : 10 * number + token.byte - '0';
    if (number > MOST_REPEATED) number = MOST_REPEATED + 1;
  }
}

static int is_comma(struct token token) { return token.kind == BYTE && token.byte == ','; }

/* Reads the limits of a repetition; 0 if the interval is none and stands for its characters. */
static int read_interval(struct parser *parser, int *least, int *most) {
  size_t start = parser->at;
  struct token first = parser->token;
  *least = read_number(parser);
  if (*least == -1) {
    if (!is_comma(parser->token)) return fail(parser, REG_BADBR);
    *least = 0;
  }
  if (*least != -2)
    *most = parser->token.kind == CLOSE_INTERVAL ? *least : is_comma(parser->token) ? read_number(parser) : -2;
  if (*least == -2 || *most == -2) {
    if (!has(parser, BAD_INTERVAL_IS_PLAIN)) return fail(parser, parser->token.kind == END ? REG_EBRACE : REG_BADBR);
    parser->at = start;
    parser->token = first;
    parser->token.kind = BYTE;
    return 0;
  }
  if ((*most != -1 && *least > *most) || parser->token.kind != CLOSE_INTERVAL) return fail(parser, REG_BADBR);
  if ((*most == -1 ? *least : *most) > MOST_REPEATED) return fail(parser, REG_ESIZE);
  return 1;
}

static int repeat(struct parser *parser, int tree) {
  int least = parser->token.kind == PLUS, most = parser->token.kind == QUESTION ? 1 : -1;
  if (parser->token.kind == OPEN_INTERVAL && !read_interval(parser, &least, &most)) return tree;
  advance(parser, 0);
  if (tree == 0 || most == 0) return 0;
  struct tree *repeated = &parser->trees[tree];
  if (repeated->kind == T_GROUP && least != most && repeated->number < 8 * (int)sizeof parser->optional)
    parser->optional[repeated->number / 8] |= 1 << repeated->number % 8;
  return add_tree(parser, (struct tree){.kind = T_REPEATED, .left = tree, .least = least, .most = most});
}

static int is_repetition(enum token_kind kind) {
  return kind == STAR || kind == PLUS || kind == QUESTION || kind == OPEN_INTERVAL;
}

/* One item with its repetitions. `*is_empty` says that there was none. */
static int parse_item(struct parser *parser, int depth) {
  int tree = 0;
  struct token token = parser->token;
  if (is_repetition(token.kind)) {
    if (token.kind == OPEN_INTERVAL && has(parser, MISPLACED_INTERVALS_FAIL)) return fail(parser, REG_BADRPT);
    if (has(parser, MISPLACED_OPERATORS_FAIL) && !has(parser, MISPLACED_INTERVALS_FAIL))
      return fail(parser, REG_BADRPT);
    if (has(parser, OPERATORS_ANYWHERE)) {
      advance(parser, 0);
      return parse_item(parser, depth);
    }
    token.kind = BYTE;
  }
  if (token.kind == CLOSE_GROUP && !has(parser, LONE_CLOSING_IS_PLAIN)) return fail(parser, REG_ERPAREN);
  switch (token.kind) {
    case END:
    case OR: return 0;
    case LONE_BACKSLASH: return fail(parser, REG_EESCAPE);
    case OPEN_GROUP: tree = parse_group(parser, depth); break;
    case OPEN_LIST: tree = list_tree(parser); break;
    case ANY: tree = any_tree(parser); break;
    case CLASS: tree = class_tree(parser, token.byte); break;
    case REFERENCE:
      if (!(parser->closed & 1U << token.number)) return fail(parser, REG_ESUBREG);
      parser->has_references = 1;
      tree = add_tree(parser, (struct tree){.kind = T_REFERENCE, .number = token.number});
      break;
    case ASSERT:
      /* Nothing repeats an assertion: what follows starts anew. */
      tree = add_tree(parser, (struct tree){.kind = T_ASSERTION, .number = token.number});
      advance(parser, 0);
      return tree;
    default: tree = byte_tree(parser, token.byte); break;
  }
  if (parser->error) return 0;
  advance(parser, 0);
  while (parser->error == 0 && is_repetition(parser->token.kind)) {
    enum token_kind before = parser->token.kind;
    tree = repeat(parser, tree);
    if (parser->error) return 0;
    int is_plain = before == OPEN_INTERVAL && parser->token.kind == BYTE && parser->token.byte == '{';
    enum token_kind after = parser->token.kind;
    if (!is_plain && has(parser, MISPLACED_INTERVALS_FAIL) && (after == STAR || after == OPEN_INTERVAL))
      return fail(parser, REG_BADRPT);
  }
  return tree;
}

static int parse_sequence(struct parser *parser, int depth) {
  int tree = parse_item(parser, depth);
  while (parser->error == 0 && parser->token.kind != OR && parser->token.kind != END &&
         (depth == 0 || parser->token.kind != CLOSE_GROUP))
    tree = two(parser, T_SEQUENCE, tree, parse_item(parser, depth));
  return tree;
}

static int parse_choice(struct parser *parser, int depth) {
  unsigned closed = parser->closed;
  int tree = parse_sequence(parser, depth);
  while (parser->error == 0 && parser->token.kind == OR) {
    /* A reference may name a group of its own side only. */
    unsigned closed_left = parser->closed;
    parser->closed = closed;
    advance(parser, 1);
    int is_empty = parser->token.kind == OR || parser->token.kind == END ||
                   (depth > 0 && parser->token.kind == CLOSE_GROUP);
    int right = is_empty ? 0 : parse_sequence(parser, depth);
    tree = two(parser, T_CHOICE, tree, right);
    parser->closed |= closed_left;
  }
  return tree;
}

/* --- Nodes ---------------------------------------------------------------------------------- */

static int add_node(struct parser *parser, struct node node) {
  struct node *nodes = one_more(parser, parser->nodes, parser->node_count, &parser->node_room, sizeof node);
  if (nodes == NULL) return 0;
  parser->nodes = nodes;
  nodes[parser->node_count] = node;
  return parser->node_count++;
}

/* Adds the nodes of a tree that go on to `next`; returns the first. */
static int add_nodes(struct parser *parser, int number, int next) {
  if (parser->error) return 0;
  struct tree tree = parser->trees[number];
  switch (tree.kind) {
    case T_EMPTY: return next;
    case T_SET: return add_node(parser, (struct node){ONE_OF, next, 0, tree.number});
    case T_ASSERTION: return add_node(parser, (struct node){ASSERTION, next, 0, tree.number});
    case T_REFERENCE: return add_node(parser, (struct node){SAME_AGAIN, next, 0, tree.number});
    case T_SEQUENCE: return add_nodes(parser, tree.left, add_nodes(parser, tree.right, next));
    case T_CHOICE: {
      int left = add_nodes(parser, tree.left, next), right = add_nodes(parser, tree.right, next);
      /* Nothing at all is the last choice. */
      if (tree.left == 0) return add_node(parser, (struct node){EITHER, right, left, 0});
      return add_node(parser, (struct node){EITHER, left, right, 0});
    }
    case T_GROUP: {
      int end = add_node(parser, (struct node){GROUP_END, next, 0, tree.number});
      return add_node(parser, (struct node){GROUP_START, add_nodes(parser, tree.left, end), 0, tree.number});
    }
    case T_REPEATED: break;
  }
  int first = next;
  if (tree.most == -1) {
    first = add_node(parser, (struct node){EITHER, 0, next, 0});
    int inner = add_nodes(parser, tree.left, first);
    if (parser->error == 0) parser->nodes[first].next = inner;
  }
  for (int i = tree.least; i < tree.most; i++)
    first = add_node(parser, (struct node){EITHER, add_nodes(parser, tree.left, first), next, 0});
  for (int i = 0; i < tree.least; i++) first = add_nodes(parser, tree.left, first);
  return first;
}

/* Finds what a match starts with. */
static void find_starts(struct pattern *pattern, int *stack, unsigned char *seen) {
  const struct byte_set *sets = sets_of(pattern);
  int count = 0;
  stack[count++] = pattern->first;
  seen[pattern->first] = 1;
  while (count > 0) {
    const struct node *node = &pattern->nodes[stack[--count]];
    if (node->kind == MATCHED) pattern->may_be_empty = 1;
    if (node->kind == SAME_AGAIN) {
      memset(&pattern->starts, 1, sizeof pattern->starts);
      pattern->may_be_empty = 1;
    }
    if (node->kind == ONE_OF)
      for (int byte = 0; byte < 256; byte++) pattern->starts.has[byte] |= sets[node->number].has[byte];
    if (node->kind == MATCHED || node->kind == ONE_OF || node->kind == SAME_AGAIN) continue;
    int targets[] = {node->next, node->kind == EITHER ? node->other : node->next};
    for (int i = 0; i < 2; i++)
      if (!seen[targets[i]]) {
        seen[targets[i]] = 1;
        stack[count++] = targets[i];
      }
  }
}

/* Puts all together in one piece of memory. */
static int finish(struct parser *parser, struct pattern **result, int first) {
  size_t nodes = (size_t)parser->node_count * sizeof *parser->nodes;
  size_t size = sizeof(struct pattern) + nodes + (size_t)parser->set_count * sizeof *parser->sets;
  struct pattern *pattern = realloc(*result, size);
  if (pattern == NULL) return REG_ESPACE;
  *result = pattern;
  memset(pattern, 0, sizeof *pattern);
  pattern->groups = (size_t)parser->groups;
  pattern->first = first;
  pattern->node_count = parser->node_count;
  pattern->set_count = parser->set_count;
  pattern->has_references = parser->has_references;
  memcpy(pattern->mapped, parser->mapped, sizeof pattern->mapped);
  memcpy(pattern->optional, parser->optional, sizeof pattern->optional);
  memcpy(pattern->nodes, parser->nodes, nodes);
  struct byte_set *sets = (struct byte_set *)sets_of(pattern);
  for (int i = 0; i < parser->set_count; i++)
    for (int byte = 0; byte < 256; byte++) sets[i].has[byte] = parser->sets[i].has[parser->mapped[byte]];
  int *stack = malloc((size_t)parser->node_count * sizeof *stack);
  unsigned char *seen = calloc((size_t)parser->node_count, 1);
  int error = stack == NULL || seen == NULL ? REG_ESPACE : 0;
  if (!error) find_starts(pattern, stack, seen);
  free(stack);
  free(seen);
  return error;
}

int __secateur_pattern_parse(struct pattern **pattern, const char *text, size_t length, syntax_bits syntax,
                             const unsigned char *translate) {
  struct parser parser = {.text = (const unsigned char *)text, .length = length, .syntax = syntax,
                          .translate = translate};
  for (int byte = 0; byte < 256; byte++) {
    int mapped = translate ? translate[byte] : byte;
    parser.mapped[byte] = (unsigned char)(syntax & IGNORE_CASE ? toupper(mapped) : mapped);
  }
  add_tree(&parser, (struct tree){.kind = T_EMPTY});
  parser.token = token_at(&parser, 0, 1);
  int tree = parser.error ? 0 : parse_choice(&parser, 0);
  int end = parser.error ? 0 : add_node(&parser, (struct node){.kind = MATCHED});
  int first = parser.error ? 0 : add_nodes(&parser, tree, end);
  int error = parser.error ? parser.error : finish(&parser, pattern, first);
  free(parser.trees);
  free(parser.sets);
  free(parser.nodes);
  return error;
}
