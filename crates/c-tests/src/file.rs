//! Assembles the tests of a function into a C file.

use crate::declare::declare;
use crate::{CTests, Test, TestEnd, callee};
use std::fmt::Write;

/// What the file is compiled with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// The files of the program, as paths that work everywhere.
    pub program: Vec<String>,
    /// The options of the compiler: `-D`, `-I` and others.
    pub flags: Vec<String>,
}

/// Functions that tests may need, by their names.
const HELPERS: &[(&str, &str)] = &[
    (
        "unit_float(",
        "/* The float with these bits. */
static float unit_float(unsigned int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
",
    ),
    (
        "unit_double(",
        "/* The double with these bits. */
static double unit_double(unsigned long long bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
",
    ),
    (
        "unit_same_float",
        "/* Whether two floats are the same to the bit; all NaNs count as equal. */
static int unit_same_float(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }
",
    ),
    (
        "unit_same_double",
        "/* Whether two doubles are the same to the bit; all NaNs count as equal. */
static int unit_same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }
",
    ),
    (
        "unit_same_floats(",
        "static int unit_same_floats(const void *a, const float *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!unit_same_float(((const float *)a)[i], b[i])) return 0;
  return 1;
}
",
    ),
    (
        "unit_same_doubles(",
        "static int unit_same_doubles(const void *a, const double *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!unit_same_double(((const double *)a)[i], b[i])) return 0;
  return 1;
}
",
    ),
    (
        "unit_is_text(",
        "/* Whether this text is here, followed by zeros up to the given size. */
static int unit_is_text(const void *at, const char *text, size_t size) {
  const char *bytes = at;
  size_t length = strlen(text);
  if (memcmp(bytes, text, length) != 0) return 0;
  for (size_t i = length; i < size; i++)
    if (bytes[i] != 0) return 0;
  return 1;
}
",
    ),
];

const MAIN: &str = "
int main(int argc, char **argv) {
  int count = (int)(sizeof unit_tests / sizeof *unit_tests) - 1, failed = 0;
  if (argc > 1) {
    int number = atoi(argv[1]);
    if (number < 1 || number > count) {
      dprintf(2, \"there are tests 1 to %d\\n\", count);
      return 2;
    }
    unit_tests[number - 1].run();
    return 0;
  }
  for (int i = 0; i < count; i++) {
    int child = fork();
    if (child == 0) {
      unit_tests[i].run();
      exit(0);
    }
    /* The status of a process that exits is in the second byte; the other bits are zero. */
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child || ended != unit_tests[i].status << 8) {
      dprintf(1, \"%s failed\\n\", unit_tests[i].name);
      failed++;
    }
  }
  dprintf(1, \"%d of %d tests passed\\n\", count - failed, count);
  return failed > 0;
}
";

/// The whole file.
pub(crate) fn write(tests: &CTests, sources: &Sources) -> String {
    let function = &tests.function.unit.function;
    let mut text = head(tests, sources);
    text.push_str(&include(tests, sources));
    let mut functions = String::new();
    let mut failing = String::new();
    let (mut table, mut failing_table) = (String::new(), String::new());
    for (index, test) in tests.tests.iter().enumerate() {
        let name = format!("{function}_test_{}", index + 1);
        let status = if let TestEnd::Exit(status) = test.body.end { status } else { 0 };
        let row = format!("    {{\"{name}\", {name}, {status}}},\n");
        if matches!(test.body.end, TestEnd::Bug(_)) {
            failing.push_str(&function_text(&name, test));
            failing_table.push_str(&row);
        } else {
            functions.push_str(&function_text(&name, test));
            table.push_str(&row);
        }
    }
    let all = format!("{functions}{failing}");
    for (_, helper) in needed_helpers(&all) {
        text.push('\n');
        text.push_str(helper);
    }
    text.push_str(&functions);
    if !failing.is_empty() {
        text.push_str("\n#ifdef RUN_FAILING\n");
        text.push_str(&failing);
        text.push_str("#endif\n");
        failing_table = format!("#ifdef RUN_FAILING\n{failing_table}#endif\n");
    }
    let _ = write!(
        text,
        "\nstatic const struct {{
  const char *name;
  void (*run)(void);
  int status; /* what the process ends with */
}} unit_tests[] = {{\n{table}{failing_table}    {{NULL, NULL, 0}},\n}};\n"
    );
    text.push_str(MAIN);
    text
}

/// A helper is needed if a test calls it, or another helper does.
fn needed_helpers(tests: &str) -> Vec<&'static (&'static str, &'static str)> {
    let needed = |name: &str| {
        let singular = name.trim_end_matches('(');
        tests.contains(name)
            || HELPERS.iter().any(|(other, _)| *other == format!("{singular}s(") && tests.contains(other))
    };
    HELPERS.iter().filter(|(name, _)| needed(name)).collect()
}

fn function_text(name: &str, test: &Test) -> String {
    let mut text = match &test.body.end {
        TestEnd::Bug(what) => format!("\n/* {}: {} */\n", test.name, comment(what)),
        TestEnd::Exit(status) => format!("\n/* {}: ends the program with status {status}. */\n", test.name),
        TestEnd::Return => format!("\n/* {} */\n", test.name),
    };
    let _ = writeln!(text, "static void {name}(void) {{");
    for line in &test.body.lines {
        let _ = writeln!(text, "  {line}");
    }
    text.push_str("}\n");
    text
}

/// Text that cannot end the comment that it is in.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}

fn head(tests: &CTests, sources: &Sources) -> String {
    let function = &tests.function.unit.function;
    let file = tests.file_name();
    let others = sources.program.iter().filter(|path| **path != tests.function.unit.file);
    let words = sources.flags.iter().chain(others).fold(String::new(), |text, word| format!("{text} {}", quoted(word)));
    let mut text = format!(
        "/* Tests of `{function}` from {}, written by Secateur.
 *
 *   cc {file}{words} -o {function}_test && ./{function}_test
 *
 * The source file that defines the function is included below, so that static functions and types of the file
 * can be tested as well: do not pass it to the compiler again. If it has moved, add -DUNIT_SOURCE='\"new/path.c\"'.
 * Each test runs in a process of its own, so that global variables have their initial values;
 * `./{function}_test 3` runs only the third, in the same process, for a debugger.
",
        comment(&tests.function.unit.file)
    );
    let failing: Vec<_> = tests
        .tests
        .iter()
        .enumerate()
        .filter_map(|(index, test)| match &test.body.end {
            TestEnd::Bug(what) => Some((index + 1, test, what)),
            _ => None,
        })
        .collect();
    if !failing.is_empty() {
        text.push_str(" *\n * These tests end in a bug and are only run with -DRUN_FAILING:\n");
        for (number, test, what) in failing {
            let _ = writeln!(text, " *   {function}_test_{number}: {}", comment(what));
            let _ = writeln!(text, " *     {}", comment(&test.body.lines.join(" ")));
        }
    }
    if !tests.left_out.is_empty() {
        text.push_str(" *\n * These tests cannot be written in C:\n");
        for (name, reason) in &tests.left_out {
            let _ = writeln!(text, " *   {name}: {}", comment(reason));
        }
    }
    text.push_str(" */\n");
    text
}

fn include(tests: &CTests, sources: &Sources) -> String {
    let unit = &tests.function.unit;
    let source =
        if unit.file.is_empty() { sources.program.first().cloned().unwrap_or_default() } else { unit.file.clone() };
    let mut text = format!(
        "#ifndef UNIT_SOURCE
#define UNIT_SOURCE \"{source}\"
#endif
#define main unit_original_main
#include UNIT_SOURCE
#undef main

#undef NDEBUG
#include <assert.h>
#include <stddef.h>

/* What the tests need of the C library. Its headers declare more names, which the source may use for something else. */
void *calloc(size_t, size_t);
int atoi(const char *);
_Noreturn void exit(int);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
char *strcpy(char *, const char *);
int strcmp(const char *, const char *);
size_t strlen(const char *);
int dprintf(int, const char *, ...);
int fork(void);
int waitpid(int, int *, int);

/* A test may pass a null pointer where none is allowed. */
#pragma GCC diagnostic ignored \"-Wnonnull\"
"
    );
    text.push_str(&callee::declaration(&unit.function));
    for global in unit.globals.iter().filter(|global| global.elsewhere) {
        if let Some(declared) = declare(unit, global.variable.ty, &global.variable.name) {
            let _ = write!(text, "\nextern {declared};\n");
        }
    }
    text
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+,:".contains(letter);
    if word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
