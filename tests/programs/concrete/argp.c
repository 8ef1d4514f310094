// argp_parse: the order in which parsers of a tree are called, and what they are told.
#include <argp.h>
#include <stdio.h>
#include <string.h>

static error_t parse(int key, char *argument, struct argp_state *state) {
  printf("%s key %x, argument %s, number %u, next %d, quoted %d\n", (char *)state->input, key,
         argument ? argument : "none", state->arg_num, state->next, state->quoted);
  switch (key) {
    case ARGP_KEY_INIT:
      if (state->child_inputs) state->child_inputs[0] = "child";
      return 0;
    case ARGP_KEY_ARG: return state->arg_num >= 2 ? ARGP_ERR_UNKNOWN : 0;
    case 'v': case 'c': case 'x': case 300: return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    {"verbose", 'v', 0, 0, "Print more"},
    {"count", 'c', "N", OPTION_ARG_OPTIONAL, "Count"},
    {"number", 0, 0, OPTION_ALIAS, 0},
    {"only-long", 300, "TEXT", 0, "No letter"},
    {0},
};
static const struct argp_option child_options[] = {{"extra", 'x', "X", 0, "Of the child"}, {0}};
static const struct argp child = {child_options, parse, 0, 0, 0, 0, 0};
static const struct argp_child children[] = {{&child, 0, "Child:", 1}, {0}};
static const struct argp argp = {options, parse, "FILE", "text", children, 0, 0};

static void run(unsigned flags, char *a, char *b, char *c, char *d) {
  char *arguments[] = {"program", a, b, c, d, 0};
  int count = 1, end = -1;
  while (arguments[count]) count++;
  error_t error = argp_parse(&argp, count, arguments, flags | ARGP_NO_EXIT, &end, "parent");
  printf("result %d, end %d\n\n", error, end);
}

int main(void) {
  run(0, 0, 0, 0, 0);
  run(0, "-v", "file", "-c7", "--extra=1");
  run(0, "--num=3", "--only-long", "text", "-vx5");
  run(0, "one", "--", "-v", "-c");
  run(ARGP_IN_ORDER, "one", "-v", "two", 0);
  run(ARGP_NO_ARGS, "one", "-v", 0, 0);
  run(ARGP_LONG_ONLY, "-verbose", "-extra", "1", 0);
  run(ARGP_NO_ERRS, "--unknown", 0, 0, 0);
  run(ARGP_NO_HELP, "-c", "one", "two", "three");
  return 0;
}
