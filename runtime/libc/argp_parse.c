/* argp_parse: options and arguments are handed to the parsers of a tree of descriptions, in glibc's order. */
#define _GNU_SOURCE
#include "replaceable.h"

#include "argp.h"
#include "getopt_state.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char *__progname, *__progname_full;

REPLACEABLE const char *argp_program_version, *argp_program_bug_address;
REPLACEABLE void (*argp_program_version_hook)(FILE *, struct argp_state *);

/* --- The options that every program has ------------------------------------------------------- */

enum { PROGRAM_NAME = -2, USAGE = -3, HANG = -4 };

static int parse_default(int key, char *argument, struct argp_state *state) {
  switch (key) {
    case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); break;
    case USAGE: argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); break;
    case PROGRAM_NAME: {
      char *slash = strrchr(argument, '/');
      __progname_full = argument;
      state->name = __progname = slash ? slash + 1 : argument;
      if ((state->flags & (ARGP_PARSE_ARGV0 | ARGP_NO_ERRS)) == ARGP_PARSE_ARGV0) state->argv[0] = argument;
      break;
    }
    case HANG:
      for (int seconds = atoi(argument ? argument : "3600"); seconds > 0; seconds--) sleep(1);
      break;
    default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int parse_version(int key, char *argument, struct argp_state *state) {
  (void)argument;
  if (key != 'V') return ARGP_ERR_UNKNOWN;
  if (argp_program_version_hook) argp_program_version_hook(state->out_stream, state);
  else if (argp_program_version) fprintf(state->out_stream, "%s\n", argp_program_version);
  else argp_error(state, "(PROGRAM ERROR) No version known!?");
  if (!(state->flags & ARGP_NO_EXIT)) exit(0);
  return 0;
}

static const struct argp_option default_options[] = {
    {"help", '?', 0, 0, "Give this help list", -1},
    {"usage", USAGE, 0, 0, "Give a short usage message", 0},
    {"program-name", PROGRAM_NAME, "NAME", OPTION_HIDDEN, "Set the program name", 0},
    {"HANG", HANG, "SECS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, "Hang for SECS seconds (default 3600)", 0},
    {0},
};
static const struct argp_option version_options[] = {{"version", 'V', 0, 0, "Print program version", -1}, {0}};
static const struct argp default_argp = {.options = default_options, .parser = parse_default};
static const struct argp version_argp = {.options = version_options, .parser = parse_version};

/* --- The parsers ------------------------------------------------------------------------------ */

/* The parser of one description, and where its letters end in those of all. */
struct group {
  const struct argp *argp;
  const char *letters_end;
  unsigned processed;
  struct group *parent;
  unsigned index;
  void *input, **child_inputs, *hook;
};

struct parser {
  struct argp_state state;
  char *letters;
  struct option *names;
  struct group *groups, *end;
  void **inputs;
  int try_getopt;
};

/* The key of a long option has the number of its group above these bits. */
enum { KEY_BITS = 24, KEY_MASK = (1 << KEY_BITS) - 1 };

/* What getopt answers. */
enum { NO_OPTION = -1, PLAIN_ARGUMENT = 1, WRONG_OPTION = '?' };

static int call(struct group *group, struct argp_state *state, int key, char *argument) {
  if (!group->argp->parser) return ARGP_ERR_UNKNOWN;
  state->hook = group->hook;
  state->input = group->input;
  state->child_inputs = group->child_inputs;
  state->arg_num = group->processed;
  int error = group->argp->parser(key, argument, state);
  group->hook = state->hook;
  return error;
}

struct sizes {
  size_t letters, names, groups, inputs;
};

static void measure(const struct argp *argp, struct sizes *sizes) {
  sizes->groups += argp->options || argp->parser;
  for (const struct argp_option *option = argp->options; option && !_option_is_end(option); option++) {
    sizes->letters += 3;
    sizes->names++;
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++) {
    sizes->inputs++;
    measure(child->argp, sizes);
  }
}

static int is_known(const struct option *names, const char *name) {
  for (; names->name; names++)
    if (!strcmp(names->name, name)) return 1;
  return 0;
}

static void add_options(struct parser *parser, const struct argp *argp, size_t number) {
  char *letter = parser->letters + strlen(parser->letters);
  struct option *next = parser->names;
  while (next->name) next++;
  const struct argp_option *real = argp->options;
  for (const struct argp_option *option = real; option && !_option_is_end(option); option++) {
    if (!(option->flags & OPTION_ALIAS)) real = option;
    if (real->flags & OPTION_DOC) continue;
    int is_optional = real->arg && (real->flags & OPTION_ARG_OPTIONAL);
    if (_option_is_short(option)) {
      *letter++ = (char)option->key;
      if (real->arg) *letter++ = ':';
      if (is_optional) *letter++ = ':';
    }
    if (option->name && !is_known(parser->names, option->name)) {
      next->name = option->name;
      next->has_arg = is_optional ? optional_argument : real->arg ? required_argument : no_argument;
      next->val = ((option->key ? option->key : real->key) & KEY_MASK) + (int)((number + 1) << KEY_BITS);
      next++;
    }
  }
}

static void add_groups(struct parser *parser, const struct argp *argp, struct group *parent, unsigned index) {
  struct group *group = 0;
  if (argp->options || argp->parser) {
    group = parser->end++;
    add_options(parser, argp, (size_t)(group - parser->groups));
    group->argp = argp;
    group->letters_end = parser->letters + strlen(parser->letters);
    group->parent = parent;
    group->index = index;
    if (argp->children) {
      group->child_inputs = parser->inputs;
      for (const struct argp_child *child = argp->children; child->argp; child++) parser->inputs++;
    }
  }
  unsigned number = 0;
  for (const struct argp_child *child = argp->children; child && child->argp; child++)
    add_groups(parser, child->argp, group, number++);
}

static int goes_on(int error) { return !error || error == ARGP_ERR_UNKNOWN; }

/* Each parser learns that it begins, and may give its children their input. */
static int begin(struct parser *parser, int argc, char **argv, unsigned flags, void *input) {
  int error = 0;
  parser->state = (struct argp_state){.root_argp = parser->state.root_argp, .argc = argc, .argv = argv, .flags = flags,
                                      .err_stream = stderr, .out_stream = stdout, .pstate = parser};
  parser->try_getopt = 1;
  if (parser->groups < parser->end) parser->groups->input = input;
  for (struct group *group = parser->groups; group < parser->end && goes_on(error); group++) {
    if (group->parent) group->input = group->parent->child_inputs[group->index];
    if (!group->argp->parser && group->argp->children && group->argp->children->argp)
      group->child_inputs[0] = group->input;
    error = call(group, &parser->state, ARGP_KEY_INIT, 0);
  }
  if (!goes_on(error)) return error;
  opterr = !(flags & ARGP_NO_ERRS);
  /* getopt skips the first argument. */
  if ((flags & ARGP_NO_ERRS) && (flags & ARGP_PARSE_ARGV0)) parser->state.argv--, parser->state.argc++;
  char *name = parser->state.argv == argv ? argv[0] : 0, *slash = name ? strrchr(name, '/') : 0;
  parser->state.name = slash ? slash + 1 : name ? name : __progname;
  return 0;
}

/* The first parser that wants it takes the argument, or all that are left. */
static int take_argument(struct parser *parser, char *argument) {
  struct argp_state *state = &parser->state;
  int first = --state->next, error = ARGP_ERR_UNKNOWN, takes_all = 0;
  struct group *group = parser->groups;
  for (; group < parser->end && error == ARGP_ERR_UNKNOWN; group++) {
    state->next++;
    error = call(group, state, ARGP_KEY_ARG, argument);
    takes_all = error == ARGP_ERR_UNKNOWN;
    if (!takes_all) continue;
    state->next--;
    error = call(group, state, ARGP_KEY_ARGS, 0);
  }
  if (error) return error;
  if (takes_all) state->next = state->argc;
  if (state->next > first) group[-1].processed += (unsigned)(state->next - first);
  else parser->try_getopt = 1;
  return 0;
}

static int take_option(struct parser *parser, int option, char *argument) {
  int number = option >> KEY_BITS, error = ARGP_ERR_UNKNOWN;
  const char *problem = "(PROGRAM ERROR) Option should have been recognized!?";
  if (number) {
    error = call(&parser->groups[number - 1], &parser->state, (int)((unsigned)option << (32 - KEY_BITS)) >> (32 - KEY_BITS),
                 argument);
    if (error != ARGP_ERR_UNKNOWN) return error;
    const struct option *name = parser->names;
    while (name->name && name->val != option) name++;
    argp_error(&parser->state, "--%s: %s", name->name ? name->name : "???", problem);
    return error;
  }
  const char *letter = strchr(parser->letters, option);
  struct group *group = parser->groups;
  while (letter && group < parser->end && group->letters_end <= letter) group++;
  if (letter && group < parser->end) error = call(group, &parser->state, option, argument);
  if (error == ARGP_ERR_UNKNOWN) argp_error(&parser->state, "-%c: %s", option, problem);
  return error;
}

/* Handles the next option or argument; *is_argument tells which one nobody wanted. */
static int step(struct parser *parser, int *is_argument) {
  struct argp_state *state = &parser->state;
  int option = NO_OPTION;
  char *argument = 0;
  if (state->quoted && state->next < state->quoted) state->quoted = 0;
  if (parser->try_getopt && !state->quoted) {
    optind = state->next;
    __secateur_getopt_state.option = NO_OPTION;
    option = (state->flags & ARGP_LONG_ONLY ? getopt_long_only : getopt_long)(state->argc, state->argv, parser->letters,
                                                                              parser->names, 0);
    argument = optarg;
    state->next = optind;
    if (option == NO_OPTION) {
      parser->try_getopt = 0;
      if (state->next > 1 && !strcmp(state->argv[state->next - 1], "--")) state->quoted = state->next;
    } else if (option == WRONG_OPTION && optopt != NO_OPTION) {
      *is_argument = 0;
      return ARGP_ERR_UNKNOWN;
    }
  }
  if (option == NO_OPTION) {
    *is_argument = 1;
    if (state->next >= state->argc || (state->flags & ARGP_NO_ARGS)) return ARGP_ERR_UNKNOWN;
    option = PLAIN_ARGUMENT;
    argument = state->argv[state->next++];
  }
  *is_argument = option == PLAIN_ARGUMENT;
  return *is_argument ? take_argument(parser, argument) : take_option(parser, option, argument);
}

/* All arguments were taken: the parsers learn it, the children before their parents. */
static int end_well(struct parser *parser) {
  int error = 0;
  for (struct group *group = parser->groups; group < parser->end && goes_on(error); group++)
    if (group->processed == 0) error = call(group, &parser->state, ARGP_KEY_NO_ARGS, 0);
  for (struct group *group = parser->end; group-- > parser->groups && goes_on(error);)
    error = call(group, &parser->state, ARGP_KEY_END, 0);
  return error == ARGP_ERR_UNKNOWN ? 0 : error;
}

static int finish(struct parser *parser, int error, int *end) {
  struct argp_state *state = &parser->state;
  if (!error) {
    if (state->next == state->argc) error = end_well(parser);
    else if (!end) {
      if (!(state->flags & ARGP_NO_ERRS) && state->err_stream)
        fprintf(state->err_stream, "%s: Too many arguments\n", state->name);
      error = ARGP_ERR_UNKNOWN;
    }
    if (end) *end = state->next;
  }
  if (error) {
    if (error == ARGP_ERR_UNKNOWN) argp_state_help(state, state->err_stream, ARGP_HELP_STD_ERR);
    for (struct group *group = parser->groups; group < parser->end; group++) call(group, state, ARGP_KEY_ERROR, 0);
  } else {
    for (struct group *group = parser->end; group-- > parser->groups && goes_on(error);)
      error = call(group, state, ARGP_KEY_SUCCESS, 0);
    if (error == ARGP_ERR_UNKNOWN) error = 0;
  }
  for (struct group *group = parser->end; group-- > parser->groups;) call(group, state, ARGP_KEY_FINI, 0);
  return error == ARGP_ERR_UNKNOWN ? EINVAL : error;
}

static int parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input) {
  struct sizes sizes = {0};
  measure(argp, &sizes);
  struct parser parser = {.state.root_argp = argp};
  parser.letters = calloc(sizes.letters + 2, 1);
  parser.names = calloc(sizes.names + 1, sizeof *parser.names);
  parser.groups = parser.end = calloc(sizes.groups + 1, sizeof *parser.groups);
  void **inputs = parser.inputs = calloc(sizes.inputs + 1, sizeof *inputs);
  int error = ENOMEM, is_argument = 0;
  if (parser.letters && parser.names && parser.groups && inputs) {
    if (flags & (ARGP_IN_ORDER | ARGP_NO_ARGS)) parser.letters[0] = flags & ARGP_IN_ORDER ? '-' : '+';
    add_groups(&parser, argp, 0, 0);
    /* The program's own use of getopt is not disturbed. */
    struct getopt_state saved_state = __secateur_getopt_state;
    int saved[] = {optind, opterr, optopt};
    char *saved_argument = optarg;
    error = begin(&parser, argc, argv, flags, input);
    if (!error) {
      while (!error) error = step(&parser, &is_argument);
      error = finish(&parser, error == ARGP_ERR_UNKNOWN && is_argument ? 0 : error, end);
    }
    optind = saved[0], opterr = saved[1], optopt = saved[2];
    optarg = saved_argument;
    __secateur_getopt_state = saved_state;
  }
  free(parser.letters);
  free(parser.names);
  free(parser.groups);
  free(inputs);
  return error;
}

REPLACEABLE int argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input) {
  struct argp_child children[4] = {0}, *next = children;
  struct argp all = {.children = children};
  static const struct argp nothing;
  if (flags & ARGP_NO_HELP) return parse(argp ? argp : &nothing, argc, argv, flags, end, input);
  if (argp) next++->argp = argp;
  next++->argp = &default_argp;
  if (argp_program_version || argp_program_version_hook) next->argp = &version_argp;
  return parse(&all, argc, argv, flags, end, input);
}

REPLACEABLE void *_argp_input(const struct argp *argp, const struct argp_state *state) {
  if (!state) return 0;
  const struct parser *parser = state->pstate;
  for (const struct group *group = parser->groups; group < parser->end; group++)
    if (group->argp == argp) return group->input;
  return 0;
}

weak_alias(argp_parse, __argp_parse);
weak_alias(_argp_input, __argp_input);
