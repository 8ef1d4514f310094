/* getopt and its relatives, as in glibc: options are found behind operands, which are moved to the end, and
 * every call sets optarg. musl's getopt does neither, and its messages differ. */
#define _GNU_SOURCE
#include "getopt_state.h"
#include "replaceable.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

struct getopt_state __secateur_getopt_state;
#define scan __secateur_getopt_state

/* One call. `options` is without its prefix; `silent` suppresses messages; `only` is set for getopt_long_only. */
struct call {
  int count;
  char **arguments;
  const char *options;
  const struct option *longs;
  int *index;
  int only, silent;
};

static const char *start(const char *options, int posix) {
  if (optind == 0 || !scan.started) {
    if (optind == 0) optind = 1;
    scan.first_operand = scan.operands_end = optind;
    scan.rest = 0;
    scan.started = 1;
    if (*options == '-')
      scan.order = RETURN;
    else if (*options == '+' || posix || getenv("POSIXLY_CORRECT"))
      scan.order = STOP;
    else
      scan.order = MOVE_BEHIND;
  }
  return *options == '-' || *options == '+' ? options + 1 : options;
}

static int is_operand(const char *argument) { return argument[0] != '-' || !argument[1]; }

static void reverse(char **from, char **to) {
  while (from + 1 < to) {
    char *argument = *from;
    *from++ = *--to;
    *to = argument;
  }
}

/* Moves the operands behind the options that were read since. */
static void move_operands(char **arguments) {
  int options = optind - scan.operands_end;
  reverse(arguments + scan.first_operand, arguments + scan.operands_end);
  reverse(arguments + scan.operands_end, arguments + optind);
  reverse(arguments + scan.first_operand, arguments + optind);
  scan.first_operand += options;
  scan.operands_end = optind;
}

/* The result for an option without its argument. */
static int missing(const struct call *call) { return *call->options == ':' ? ':' : '?'; }

static int is_prefix(const char *text, size_t length, const char *name) { return !strncmp(name, text, length); }

static int is_same(const struct option *a, const struct option *b) {
  return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* Whether an abbreviation of both is ambiguous. */
static int is_conflict(const struct call *call, const struct option *a, const struct option *b) {
  return a != b && (call->only || !is_same(a, b));
}

static const struct option *exact_match(const struct call *call, size_t length) {
  const struct option *o = call->longs;
  while (o->name && !(is_prefix(scan.rest, length, o->name) && !o->name[length])) o++;
  return o->name ? o : 0;
}

static const struct option *first_abbreviated(const struct call *call, size_t length) {
  const struct option *o = call->longs;
  while (o->name && !is_prefix(scan.rest, length, o->name)) o++;
  return o->name ? o : 0;
}

static int is_ambiguous(const struct call *call, size_t length, const struct option *first) {
  for (const struct option *o = first; o->name; o++)
    if (is_prefix(scan.rest, length, o->name) && is_conflict(call, first, o)) return 1;
  return 0;
}

static int refuse_ambiguous(const struct call *call, const char *prefix, size_t length, const struct option *first) {
  if (!call->silent) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->arguments[0], prefix, scan.rest);
    for (const struct option *o = first; o->name; o++)
      if (is_prefix(scan.rest, length, o->name) && (o == first || is_conflict(call, first, o)))
        fprintf(stderr, " '%s%s'", prefix, o->name);
    fputc('\n', stderr);
  }
  scan.rest += strlen(scan.rest);
  optind++;
  scan.option = 0;
  return '?';
}

/* The long option that `scan.rest` begins with, or -1 if it is to be read as short ones. `prefix` is what stands before
 * it. */
static int long_option(const struct call *call, const char *prefix) {
  size_t length = strcspn(scan.rest, "=");
  const struct option *found = exact_match(call, length);
  if (!found) {
    found = first_abbreviated(call, length);
    if (found && is_ambiguous(call, length, found)) return refuse_ambiguous(call, prefix, length, found);
  }
  const char *name = call->arguments[0];
  if (!found) {
    if (call->only && call->arguments[optind][1] != '-' && strchr(call->options, *scan.rest)) return -1;
    if (!call->silent) fprintf(stderr, "%s: unrecognized option '%s%s'\n", name, prefix, scan.rest);
    scan.rest = 0;
    optind++;
    scan.option = 0;
    return '?';
  }
  char *value = scan.rest[length] ? scan.rest + length + 1 : 0;
  optind++;
  scan.rest = 0;
  if (value && !found->has_arg) {
    if (!call->silent) fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", name, prefix, found->name);
    scan.option = found->val;
    return '?';
  }
  if (!value && found->has_arg == required_argument) {
    if (optind >= call->count) {
      if (!call->silent) fprintf(stderr, "%s: option '%s%s' requires an argument\n", name, prefix, found->name);
      scan.option = found->val;
      return missing(call);
    }
    value = call->arguments[optind++];
  }
  optarg = value;
  if (call->index) *call->index = (int)(found - call->longs);
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

static int without_argument(const struct call *call, char option) {
  if (!call->silent) fprintf(stderr, "%s: option requires an argument -- '%c'\n", call->arguments[0], option);
  scan.option = option;
  return missing(call);
}

static int short_option(const struct call *call) {
  char option = *scan.rest++;
  const char *known = strchr(call->options, option);
  if (!*scan.rest) optind++;
  if (!known || option == ':' || option == ';') {
    if (!call->silent) fprintf(stderr, "%s: invalid option -- '%c'\n", call->arguments[0], option);
    scan.option = option;
    return '?';
  }
  if (option == 'W' && known[1] == ';' && call->longs) {
    if (!*scan.rest) {
      if (optind == call->count) return without_argument(call, option);
      scan.rest = call->arguments[optind];
    }
    struct call inner = *call;
    inner.only = 0;
    return long_option(&inner, "-W ");
  }
  if (known[1] != ':') return option;
  char *value = *scan.rest ? scan.rest : 0;
  scan.rest = 0;
  if (value) {
    optind++;
  } else if (known[2] != ':') {
    if (optind == call->count) return without_argument(call, option);
    value = call->arguments[optind++];
  }
  optarg = value;
  return option;
}

/* Looks for the argument with the next option. Returns 0 if there is one, else what the call returns. */
static int next_argument(const struct call *call) {
  char **arguments = call->arguments;
  int count = call->count;
  /* The program may have moved back. */
  if (scan.operands_end > optind) scan.operands_end = optind;
  if (scan.first_operand > optind) scan.first_operand = optind;
  if (scan.order == MOVE_BEHIND) {
    if (scan.first_operand != scan.operands_end && scan.operands_end != optind)
      move_operands(arguments);
    else if (scan.operands_end != optind)
      scan.first_operand = optind;
    while (optind < count && is_operand(arguments[optind])) optind++;
    scan.operands_end = optind;
  }
  if (optind != count && !strcmp(arguments[optind], "--")) {
    optind++;
    if (scan.first_operand != scan.operands_end && scan.operands_end != optind)
      move_operands(arguments);
    else if (scan.first_operand == scan.operands_end)
      scan.first_operand = optind;
    scan.operands_end = count;
    optind = count;
  }
  if (optind == count) {
    if (scan.first_operand != scan.operands_end) optind = scan.first_operand;
    return -1;
  }
  if (!is_operand(arguments[optind])) return 0;
  if (scan.order == STOP) return -1;
  optarg = arguments[optind++];
  return 1;
}

static int next_option(const struct call *call) {
  if (!scan.rest || !*scan.rest) {
    int result = next_argument(call);
    if (result) return result;
    char *argument = call->arguments[optind];
    if (call->longs && argument[1] == '-') {
      scan.rest = argument + 2;
      return long_option(call, "--");
    }
    scan.rest = argument + 1;
    if (call->longs && call->only && (argument[2] || !strchr(call->options, argument[1]))) {
      result = long_option(call, "-");
      if (result != -1) return result;
      scan.rest = argument + 1;
    }
  }
  return short_option(call);
}

static int get_option(int count, char *const *arguments, const char *options, const struct option *longs, int *index,
                      int only, int posix) {
  if (count < 1) return -1;
  optarg = 0;
  options = start(options, posix);
  struct call call = {count, (char **)arguments, options, longs, index, only, !opterr || *options == ':'};
  int result = next_option(&call);
  optopt = scan.option;
  return result;
}

REPLACEABLE int getopt(int count, char *const *arguments, const char *options) {
  return get_option(count, arguments, options, 0, 0, 0, 0);
}

/* What glibc's header calls in a program that asks for POSIX and nothing else. */
REPLACEABLE int __posix_getopt(int count, char *const *arguments, const char *options) {
  return get_option(count, arguments, options, 0, 0, 0, 1);
}

REPLACEABLE int getopt_long(int count, char *const *arguments, const char *options, const struct option *longs,
                            int *index) {
  return get_option(count, arguments, options, longs, index, 0, 0);
}

REPLACEABLE int getopt_long_only(int count, char *const *arguments, const char *options, const struct option *longs,
                                 int *index) {
  return get_option(count, arguments, options, longs, index, 1, 0);
}
