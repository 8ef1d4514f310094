// What argp prints: usage, lists of options in groups and children, wrapped text, errors.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "program 1.0";
const char *argp_program_bug_address = "<bugs@example.org>";

static error_t parse(int key, char *argument, struct argp_state *state) {
  if (key == ARGP_KEY_ARG && !strcmp(argument, "wrong")) argp_error(state, "wrong argument %d", 7);
  if (key == ARGP_KEY_ARG && !strcmp(argument, "failure")) argp_failure(state, 3, 2, "%s", argument);
  return key == ARGP_KEY_ARG || (key > 0 && key < 1000) ? 0 : ARGP_ERR_UNKNOWN;
}

static char *filter(int key, const char *text, void *input) {
  (void)input;
  if (key == ARGP_KEY_HELP_EXTRA) return strdup("Extra text.");
  return key == 'y' ? strdup("From the filter") : (char *)text;
}

static const struct argp_option options[] = {
    {0, 0, 0, 0, "First group:", 0},
    {"output", 'o', "FILE", 0, "Write to FILE"},
    {"out", 0, 0, OPTION_ALIAS, 0},
    {"a-name-that-leaves-no-room-for-its-text", 300, "ARGUMENT", 0, "Below"},
    {"almost-too-long-name", 'l', "ARG", 0, "Behind three blanks"},
    {0, 'n', "NUMBER", 0, "Without a name, and with a text that is so long that it does not fit into one line"},
    {"hidden", 'h', 0, OPTION_HIDDEN, "Never shown"},
    {0, 0, 0, 0, "Second group, whose header is too long for a line, so that it has to be continued on another:", 7},
    {"zone", 'Z', 0, OPTION_NO_USAGE, "Two\nlines"},
    {"again", 'o', 0, 0, "Its letter is taken"},
    {"a note", 0, 0, OPTION_DOC, "Documentation"},
    {0, 0, 0, 0, "Last:", -2},
    {"maybe", 'm', "X", OPTION_ARG_OPTIONAL, "At the end"},
    {0},
};
static const struct argp_option child_options[] = {{"yes", 'y', 0, 0, "Filtered"}, {"Apple", 301, 0, 0, 0}, {0}};
static const struct argp_option inner_options[] = {{"inner", 'i', 0, 0, "Inner"}, {0}};
static const struct argp inner = {inner_options, parse, "INNER", 0, 0, 0, 0};
static const struct argp_child in_child[] = {{&inner, 0, "Inner options:", 0}, {0}};
static const struct argp child = {child_options, parse, "CHILD", "Of the child.\vAfter the child.", in_child, filter, 0};
static const struct argp_child children[] = {{&child, 0, "Child options:", 2}, {&inner, 0, 0, 0}, {0}};
static const struct argp argp = {
    options, parse, "FILE...\nFOLDER [OTHER]\n-n",
    "A text that says what the program is for, and that is long enough to be wrapped twice, since no line of the help "
    "is longer than what a terminal shows.\n\nA second paragraph.\vBehind the list.\n",
    children, 0, 0};

static error_t quietly(int key, char *argument, struct argp_state *state) {
  if (key == ARGP_KEY_INIT) state->err_stream = stdout;
  return parse(key, argument, state);
}
static const struct argp to_output = {options, quietly, "FILE", 0, 0, 0, 0};

static void run(const struct argp *how, char *argument) {
  char *arguments[] = {"/bin/program", argument, 0};
  printf("%d\n\n", argp_parse(how, 2, arguments, ARGP_NO_EXIT, 0, 0));
}

int main(void) {
  run(&argp, "--help");
  run(&argp, "--usage");
  run(&argp, "--version");
  run(&to_output, "wrong");
  run(&to_output, "failure");
  run(&to_output, "-?");
  argp_help(&argp, stdout, ARGP_HELP_LONG | ARGP_HELP_POST_DOC, "name");
  argp_help(&child, stdout, ARGP_HELP_USAGE | ARGP_HELP_SEE | ARGP_HELP_PRE_DOC, "name");
  return 0;
}
