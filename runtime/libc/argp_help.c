/* What argp prints: usage, lists of options and messages, laid out as glibc does. */
#define _GNU_SOURCE
#include "replaceable.h"

#include "argp.h"
#include "argp_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern char *__progname;

enum { USAGE_INDENT = 12, LINE = 79, SHORT_COLUMN = 2, LONG_COLUMN = 6, DOC_NAME_COLUMN = 2, DOC_COLUMN = 29,
       HEADER_COLUMN = 1 };

/* Other layouts; defined nowhere, so that the path ends. */
void __secateur_argp_layout_of_ARGP_HELP_FMT(void);

REPLACEABLE int argp_err_exit_status = 64;

REPLACEABLE int _option_is_short(const struct argp_option *option) {
  return !(option->flags & OPTION_DOC) && option->key > 0 && option->key <= UCHAR_MAX && isprint(option->key);
}

REPLACEABLE int _option_is_end(const struct argp_option *option) {
  return !option->key && !option->name && !option->doc && !option->group;
}

/* --- The list of options ---------------------------------------------------------------------- */

/* A child whose options stay together. */
struct cluster {
  const char *header;
  int index, group, depth;
  const struct cluster *parent;
  const struct argp *argp;
  struct cluster *next;
};

/* An option with its aliases, and those of their letters that no earlier option has. */
struct entry {
  const struct argp_option *option;
  unsigned count;
  char *letters;
  int group;
  const struct cluster *cluster;
  const struct argp *argp;
};

struct list {
  struct entry *entries;
  size_t count;
  /* The letters of all entries, and how many are used. */
  char *letters;
  size_t used;
  struct cluster *clusters;
};

static int is_visible(const struct argp_option *option) { return !(option->flags & OPTION_HIDDEN); }

static void count_options(const struct argp *argp, size_t *entries, size_t *options) {
  for (const struct argp_option *option = argp->options; option && !_option_is_end(option); option++) {
    *entries += !(option->flags & OPTION_ALIAS);
    ++*options;
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    count_options(child->argp, entries, options);
}

static void add_entries(struct list *list, const struct argp *argp, const struct cluster *cluster) {
  int group = 0;
  for (const struct argp_option *option = argp->options; option && !_option_is_end(option);) {
    struct entry *entry = &list->entries[list->count++];
    if (option->group) group = option->group;
    else if (!option->name && !option->key) group++;
    *entry = (struct entry){option, 0, list->letters + list->used, group, cluster, argp};
    do {
      if (_option_is_short(option) && !memchr(list->letters, option->key, list->used))
        list->letters[list->used++] = (char)option->key;
      entry->count++;
      option++;
    } while (!_option_is_end(option) && (option->flags & OPTION_ALIAS));
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++) {
    const struct cluster *inner = cluster;
    struct cluster *made = child->group || child->header ? malloc(sizeof *made) : 0;
    if (made) {
      *made = (struct cluster){child->header, (int)(child - argp->children), child->group,
                               cluster ? cluster->depth + 1 : 0, cluster, argp, list->clusters};
      inner = list->clusters = made;
    }
    add_entries(list, child->argp, inner);
  }
}

/* Positive groups first, then negative ones, each in their order. */
static int compare_groups(int a, int b, int same) {
  if (a == b) return same;
  return (a < 0) == (b < 0) ? a - b : b - a;
}

static const struct cluster *base(const struct cluster *cluster) {
  while (cluster->parent) cluster = cluster->parent;
  return cluster;
}

/* A cluster comes before those inside of it. */
static int compare_clusters(const struct cluster *a, const struct cluster *b) {
  int deeper = a->depth - b->depth;
  while (a->depth > b->depth) a = a->parent;
  while (b->depth > a->depth) b = b->parent;
  if (a == b) return deeper;
  while (a->parent != b->parent) a = a->parent, b = b->parent;
  return compare_groups(a->group, b->group, b->index - a->index);
}

static int first_letter(const struct entry *entry) {
  const char *letter = entry->letters;
  for (unsigned i = 0; i < entry->count; i++)
    if (_option_is_short(&entry->option[i]) && *letter == entry->option[i].key) {
      if (is_visible(&entry->option[i])) return *letter;
      letter++;
    }
  return 0;
}

static const char *first_name(const struct entry *entry) {
  for (unsigned i = 0; i < entry->count; i++)
    if (entry->option[i].name && is_visible(&entry->option[i])) return entry->option[i].name;
  return 0;
}

/* Documentation that does not look like an option comes behind the options; *name is where its text begins. */
static int is_plain_documentation(const struct entry *entry, const char **name) {
  if (!(entry->option->flags & OPTION_DOC)) return 0;
  if (!*name) return 1;
  while (isspace((unsigned char)**name)) ++*name;
  int is_plain = **name != '-';
  while (**name && !isalnum((unsigned char)**name)) ++*name;
  return is_plain;
}

static int compare_entries(const struct entry *a, const struct entry *b) {
  if (a->cluster != b->cluster) {
    if (!a->cluster) return compare_groups(a->group, base(b->cluster)->group, -1);
    if (!b->cluster) return compare_groups(base(a->cluster)->group, b->group, 1);
    return compare_clusters(a->cluster, b->cluster);
  }
  if (a->group != b->group) return compare_groups(a->group, b->group, 0);
  int letter_a = first_letter(a), letter_b = first_letter(b);
  const char *name_a = first_name(a), *name_b = first_name(b);
  int doc_a = is_plain_documentation(a, &name_a), doc_b = is_plain_documentation(b, &name_b);
  if (doc_a != doc_b) return doc_a - doc_b;
  if (!letter_a && !letter_b && name_a && name_b) return strcasecmp(name_a, name_b);
  int first_a = letter_a ? letter_a : name_a ? *name_a : 0, first_b = letter_b ? letter_b : name_b ? *name_b : 0;
  int order = tolower(first_a) - tolower(first_b);
  return order ? order : first_b - first_a;
}

static void sort(struct list *list) {
  for (size_t i = 1; i < list->count; i++) {
    struct entry entry = list->entries[i];
    size_t at = i;
    for (; at > 0 && compare_entries(&list->entries[at - 1], &entry) > 0; at--) list->entries[at] = list->entries[at - 1];
    list->entries[at] = entry;
  }
}

static void move_to_group(struct list *list, const char *name, int group) {
  for (size_t i = 0; i < list->count; i++)
    for (unsigned k = 0; k < list->entries[i].count; k++) {
      const struct argp_option *option = &list->entries[i].option[k];
      if (!option->name || !is_visible(option) || strcmp(option->name, name)) continue;
      list->entries[i].group = group;
      return;
    }
}

static int make_list(struct list *list, const struct argp *argp) {
  size_t entries = 0, options = 0;
  count_options(argp, &entries, &options);
  *list = (struct list){.entries = calloc(entries + 1, sizeof(struct entry)), .letters = calloc(options + 1, 1)};
  if (!list->entries || !list->letters) return 0;
  add_entries(list, argp, 0);
  move_to_group(list, "help", -1);
  move_to_group(list, "version", -1);
  sort(list);
  return 1;
}

static void free_list(struct list *list) {
  for (struct cluster *cluster = list->clusters, *next; cluster; cluster = next) {
    next = cluster->next;
    free(cluster);
  }
  free(list->entries);
  free(list->letters);
}

/* --- Pieces of text --------------------------------------------------------------------------- */

static void put(struct argp_text *text, const char *s) { __secateur_argp_write(text, s, strlen(s)); }

static void indent_to(struct argp_text *text, int column) {
  for (int at = __secateur_argp_column(text); at < column; at++) put(text, " ");
}

/* A blank, or a new line if less room is left than needed. */
static void put_space(struct argp_text *text, size_t needed) {
  put(text, (size_t)__secateur_argp_column(text) + needed >= LINE ? "\n" : " ");
}

/* What the program makes of a text; anything else than the text itself is to be freed. */
static const char *filter(const char *s, int key, const struct argp *argp, const struct argp_state *state) {
  return argp && argp->help_filter ? argp->help_filter(key, s, _argp_input(argp, state)) : s;
}

static void free_filtered(const char *filtered, const char *s) {
  if (filtered != s) free((char *)filtered);
}

/* --- Usage ------------------------------------------------------------------------------------ */

/* The next option of an entry that has a letter of its own; `real` is the one whose argument it takes. */
static int next_letter(const struct entry *entry, unsigned *i, const char **letter, const struct argp_option **real) {
  for (; *i < entry->count; ++*i) {
    const struct argp_option *option = &entry->option[*i];
    if (!_option_is_short(option) || **letter != option->key) continue;
    if (!(option->flags & OPTION_ALIAS)) *real = option;
    ++*letter;
    if (is_visible(option)) return 1;
  }
  return 0;
}

static void put_short_options(const struct list *list, struct argp_text *text, int with_argument) {
  char *plain = calloc(list->used + 1, 1);
  if (!plain) return;
  for (const struct entry *entry = list->entries; entry < list->entries + list->count; entry++) {
    const struct argp_option *real = entry->option;
    const char *letter = entry->letters;
    for (unsigned i = 0; next_letter(entry, &i, &letter, &real); i++) {
      const struct argp_option *option = &entry->option[i];
      const char *argument = option->arg ? option->arg : real->arg;
      int flags = option->flags | real->flags;
      if ((flags & OPTION_NO_USAGE) || (argument != 0) != with_argument) continue;
      if (!argument) {
        plain[strlen(plain)] = (char)option->key;
      } else if (flags & OPTION_ARG_OPTIONAL) {
        __secateur_argp_print(text, " [-%c[%s]]", option->key, argument);
      } else {
        put_space(text, 6 + strlen(argument));
        __secateur_argp_print(text, "[-%c %s]", option->key, argument);
      }
    }
  }
  if (*plain) __secateur_argp_print(text, " [-%s]", plain);
  free(plain);
}

static void put_long_options(const struct list *list, struct argp_text *text) {
  for (const struct entry *entry = list->entries; entry < list->entries + list->count; entry++) {
    const struct argp_option *real = entry->option;
    for (unsigned i = 0; i < entry->count; i++) {
      const struct argp_option *option = &entry->option[i];
      if (!option->name) continue;
      if (!(option->flags & OPTION_ALIAS)) real = option;
      const char *argument = option->arg ? option->arg : real->arg;
      int flags = option->flags | real->flags;
      if (!is_visible(option) || (flags & OPTION_NO_USAGE)) continue;
      if (argument) __secateur_argp_print(text, flags & OPTION_ARG_OPTIONAL ? " [--%s[=%s]]" : " [--%s=%s]",
                                          option->name, argument);
      else __secateur_argp_print(text, " [--%s]", option->name);
    }
  }
}

/* How many descriptions have alternatives for their arguments, one per line. */
static size_t count_alternatives(const struct argp *argp) {
  size_t count = argp->args_doc && strchr(argp->args_doc, '\n');
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    count += count_alternatives(child->argp);
  return count;
}

/* The arguments, in the alternative that *level tells; returns whether there is another one, and moves on to it. */
static int put_arguments(const struct argp *argp, const struct argp_state *state, char **level, int advance,
                         struct argp_text *text) {
  char *own = *level;
  const char *documentation = filter(argp->args_doc, ARGP_KEY_HELP_ARGS_DOC, argp, state), *end = 0;
  int has_more = 0, has_alternatives = 0;
  if (documentation) {
    const char *start = documentation;
    end = strchrnul(start, '\n');
    if (*end) {
      has_alternatives = 1;
      for (int i = 0; i < *own; i++) {
        start = end + 1;
        end = strchrnul(start, '\n');
      }
      ++*level;
      has_more = *end != 0;
    }
    put_space(text, (size_t)(1 + end - start));
    __secateur_argp_write(text, start, (size_t)(end - start));
  }
  free_filtered(documentation, argp->args_doc);
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    advance = !put_arguments(child->argp, state, level, advance, text);
  if (advance && has_alternatives) {
    if (has_more) {
      ++*own;
      advance = 0;
    } else if (*own > 0) {
      *own = 0;
    }
  }
  return !advance;
}

static void put_usage(const struct argp *argp, const struct argp_state *state, const struct list *list, int is_short,
                      const char *name, struct argp_text *text) {
  char *levels = calloc(count_alternatives(argp) + 1, 1);
  if (!levels) return;
  for (int is_first = 1, has_more = 1; has_more; is_first = 0) {
    char *level = levels;
    int wrap = __secateur_argp_wrap(text, USAGE_INDENT);
    __secateur_argp_print(text, "%s %s", is_first ? "Usage:" : "  or: ", name);
    int left = __secateur_argp_left(text, USAGE_INDENT);
    if (is_short && list->count > 0) {
      put(text, " [OPTION...]");
    } else if (list->count > 0) {
      put_short_options(list, text, 0);
      put_short_options(list, text, 1);
      put_long_options(list, text);
    }
    is_short = 1;
    has_more = put_arguments(argp, state, &level, 1, text);
    __secateur_argp_wrap(text, wrap);
    __secateur_argp_left(text, left);
    put(text, "\n");
  }
  free(levels);
}

/* --- The long list ---------------------------------------------------------------------------- */

struct help {
  struct argp_text *text;
  const struct argp_state *state;
  const struct entry *entry, *before;
  /* Groups are set apart once there was a header. */
  int separates, left_out_argument, is_first;
};

static void put_header(struct help *help, const char *header, const struct argp *argp) {
  const char *filtered = filter(header, ARGP_KEY_HELP_HEADER, argp, help->state);
  if (!filtered) return;
  if (*filtered) {
    if (help->before) put(help->text, "\n");
    indent_to(help->text, HEADER_COLUMN);
    __secateur_argp_left(help->text, HEADER_COLUMN);
    __secateur_argp_wrap(help->text, HEADER_COLUMN);
    put(help->text, filtered);
    __secateur_argp_left(help->text, 0);
    put(help->text, "\n");
  }
  help->separates = 1;
  free_filtered(filtered, header);
}

static int is_inside(const struct cluster *inner, const struct cluster *outer) {
  while (inner && inner != outer) inner = inner->parent;
  return inner == outer;
}

/* What stands before a name of an option: for the first, what separates it from the entry before. */
static void begin_name(struct help *help, int column) {
  if (!help->is_first) {
    put(help->text, ", ");
  } else {
    const struct entry *before = help->before;
    const struct cluster *cluster = help->entry->cluster;
    if (help->separates && before && help->entry->group != before->group) put(help->text, "\n");
    if (cluster && cluster->header && *cluster->header && (!before || !is_inside(before->cluster, cluster))) {
      int wrap = help->text->wrap;
      put_header(help, cluster->header, cluster->argp);
      __secateur_argp_wrap(help->text, wrap);
    }
    help->is_first = 0;
  }
  indent_to(help->text, column);
}

static void put_argument(struct help *help, const struct argp_option *real, const char *needed, const char *optional) {
  if (!real->arg) return;
  put(help->text, real->flags & OPTION_ARG_OPTIONAL ? "[" : "");
  put(help->text, real->flags & OPTION_ARG_OPTIONAL ? optional : needed);
  put(help->text, real->arg);
  put(help->text, real->flags & OPTION_ARG_OPTIONAL ? "]" : "");
}

static void put_names(struct help *help) {
  const struct entry *entry = help->entry;
  const struct argp_option *real = entry->option;
  int is_documentation = real->flags & OPTION_DOC, has_name = 0;
  for (unsigned i = 0; i < entry->count && !is_documentation; i++)
    has_name |= entry->option[i].name && is_visible(&entry->option[i]);
  __secateur_argp_wrap(help->text, SHORT_COLUMN);
  const char *letter = entry->letters;
  const struct argp_option *unused = real;
  for (unsigned i = 0; next_letter(entry, &i, &letter, &unused); i++) {
    begin_name(help, SHORT_COLUMN);
    __secateur_argp_print(help->text, "-%c", entry->option[i].key);
    if (!has_name) put_argument(help, real, " ", "");
    else if (real->arg) help->left_out_argument = 1;
  }
  int column = is_documentation ? DOC_NAME_COLUMN : LONG_COLUMN;
  __secateur_argp_wrap(help->text, column);
  for (unsigned i = 0; i < entry->count; i++) {
    const struct argp_option *option = &entry->option[i];
    if (!option->name || !is_visible(option) || (is_documentation && !*option->name)) continue;
    begin_name(help, column);
    if (is_documentation) {
      put(help->text, option->name);
    } else {
      __secateur_argp_print(help->text, "--%s", option->name);
      put_argument(help, real, "=", "=");
    }
  }
}

static void put_documentation(struct help *help) {
  const struct argp_option *real = help->entry->option;
  const char *filtered = filter(real->doc, real->key, help->entry->argp, help->state);
  if (filtered && *filtered) {
    int column = __secateur_argp_column(help->text);
    __secateur_argp_left(help->text, DOC_COLUMN);
    __secateur_argp_wrap(help->text, DOC_COLUMN);
    if (column > DOC_COLUMN + 3) put(help->text, "\n");
    else if (column >= DOC_COLUMN) put(help->text, "   ");
    else indent_to(help->text, DOC_COLUMN);
    put(help->text, filtered);
  }
  free_filtered(filtered, real->doc);
  __secateur_argp_left(help->text, 0);
  put(help->text, "\n");
}

static void put_entry(struct help *help, const struct entry *entry) {
  int left = __secateur_argp_left(help->text, 0), wrap = help->text->wrap;
  const struct argp_option *real = entry->option;
  help->entry = entry;
  help->is_first = 1;
  put_names(help);
  __secateur_argp_left(help->text, 0);
  if (!help->is_first) put_documentation(help);
  else if (!_option_is_short(real) && !real->name) put_header(help, real->doc, entry->argp);
  /* A header counts; an option of which nothing is shown does not. */
  if (!help->is_first || (!_option_is_short(real) && !real->name)) help->before = entry;
  __secateur_argp_left(help->text, left);
  __secateur_argp_wrap(help->text, wrap);
}

static void put_list(const struct list *list, const struct argp_state *state, struct argp_text *text) {
  static const char note[] = "Mandatory or optional arguments to long options are also mandatory or optional for any "
                             "corresponding short options.";
  struct help help = {.text = text, .state = state};
  for (size_t i = 0; i < list->count; i++) put_entry(&help, &list->entries[i]);
  if (!help.left_out_argument) return;
  const char *filtered = filter(note, ARGP_KEY_HELP_DUP_ARGS_NOTE, state ? state->root_argp : 0, state);
  if (filtered && *filtered) {
    put(text, "\n");
    put(text, filtered);
    put(text, "\n");
  }
  free_filtered(filtered, note);
}

/* The text before the list of options, or behind it; returns whether there is any. */
static int put_text(const struct argp *argp, const struct argp_state *state, int is_behind, int has_before,
                    int only_first, struct argp_text *text) {
  int has_any = 0;
  const char *tab = argp->doc ? strchr(argp->doc, '\v') : 0, *own = is_behind ? (tab ? tab + 1 : 0) : argp->doc;
  char *front = own && !is_behind && tab ? strndup(own, (size_t)(tab - own)) : 0;
  if (front) own = front;
  int key = is_behind ? ARGP_KEY_HELP_POST_DOC : ARGP_KEY_HELP_PRE_DOC;
  const char *pieces[] = {filter(own, key, argp, state), 0};
  if (is_behind && argp->help_filter) pieces[1] = filter(0, ARGP_KEY_HELP_EXTRA, argp, state);
  for (int i = 0; i < 2; i++) {
    if (!pieces[i]) continue;
    if (has_before || has_any) put(text, "\n");
    put(text, pieces[i]);
    if (__secateur_argp_column(text) > text->left) put(text, "\n");
    free_filtered(pieces[i], own);
    has_any = 1;
  }
  free(front);
  for (const struct argp_child *child = argp->children; child && child->argp && !(only_first && has_any); child++)
    has_any |= put_text(child->argp, state, is_behind, has_any || has_before, only_first, text);
  return has_any;
}

static void print(const struct argp *argp, const struct argp_state *state, FILE *stream, unsigned flags,
                  const char *name) {
  struct argp_text text = {.stream = stream};
  struct list list = {0};
  int has_any = 0;
  if (!stream) return;
  if (getenv("ARGP_HELP_FMT")) __secateur_argp_layout_of_ARGP_HELP_FMT();
  if ((flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG)) && !make_list(&list, argp)) return;
  if (flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE)) {
    put_usage(argp, state, &list, (flags & ARGP_HELP_SHORT_USAGE) != 0, name, &text);
    has_any = 1;
  }
  if (flags & ARGP_HELP_PRE_DOC) has_any |= put_text(argp, state, 0, 0, 1, &text);
  if (flags & ARGP_HELP_SEE) {
    __secateur_argp_print(&text, "Try `%s --help' or `%s --usage' for more information.\n", name, name);
    has_any = 1;
  }
  if ((flags & ARGP_HELP_LONG) && list.count > 0) {
    if (has_any) put(&text, "\n");
    put_list(&list, state, &text);
    has_any = 1;
  }
  if (flags & ARGP_HELP_POST_DOC) has_any |= put_text(argp, state, 1, has_any, 0, &text);
  if ((flags & ARGP_HELP_BUG_ADDR) && argp_program_bug_address) {
    if (has_any) put(&text, "\n");
    __secateur_argp_print(&text, "Report bugs to %s.\n", argp_program_bug_address);
  }
  __secateur_argp_end(&text);
  free_list(&list);
}

/* --- For programs ----------------------------------------------------------------------------- */

REPLACEABLE void argp_help(const struct argp *argp, FILE *stream, unsigned flags, char *name) {
  print(argp, 0, stream, flags, name);
}

static int is_silent(const struct argp_state *state) { return state && (state->flags & ARGP_NO_ERRS); }

static const char *name_in(const struct argp_state *state) { return state ? state->name : __progname; }

REPLACEABLE void argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags) {
  if (is_silent(state) || !stream) return;
  print(state ? state->root_argp : 0, state, stream, flags, name_in(state));
  if (state && (state->flags & ARGP_NO_EXIT)) return;
  if (flags & ARGP_HELP_EXIT_ERR) exit(argp_err_exit_status);
  if (flags & ARGP_HELP_EXIT_OK) exit(0);
}

REPLACEABLE void argp_usage(const struct argp_state *state) { argp_state_help(state, stderr, ARGP_HELP_STD_USAGE); }

REPLACEABLE void argp_error(const struct argp_state *state, const char *format, ...) {
  FILE *stream = state ? state->err_stream : stderr;
  if (is_silent(state) || !stream) return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(stream, "%s: ", name_in(state));
  vfprintf(stream, format, arguments);
  putc('\n', stream);
  va_end(arguments);
  argp_state_help(state, stream, ARGP_HELP_STD_ERR);
}

REPLACEABLE void argp_failure(const struct argp_state *state, int status, int error, const char *format, ...) {
  FILE *stream = state ? state->err_stream : stderr;
  if (is_silent(state) || !stream) return;
  fputs(name_in(state), stream);
  if (format) {
    va_list arguments;
    va_start(arguments, format);
    fputs(": ", stream);
    vfprintf(stream, format, arguments);
    va_end(arguments);
  }
  if (error) fprintf(stream, ": %s", strerror(error));
  putc('\n', stream);
  if (status && !(state && (state->flags & ARGP_NO_EXIT))) exit(status);
}

weak_alias(_option_is_short, __option_is_short);
weak_alias(_option_is_end, __option_is_end);
weak_alias(argp_help, __argp_help);
weak_alias(argp_state_help, __argp_state_help);
weak_alias(argp_usage, __argp_usage);
weak_alias(argp_error, __argp_error);
weak_alias(argp_failure, __argp_failure);
