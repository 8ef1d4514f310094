//! Testing single functions from the command line: wrong usage, what stops a run, and that the tests in C detect a
//! change.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::Command;
use std::time::{Duration, Instant};

use workbench::{Done, Workbench};

const LIBRARY: &str = r#"
int verbosity = 1;
static int counter;
const int limit = 3;
int parse(int a) {
  if (a > 3)
    return verbosity;
  return ++counter;
}
static int hidden(char c) {
  static int calls;
  return c == 'x' ? ++calls : limit;
}
int call(int (*callback)(int), int a) { return callback(a); }
int print(const char *format, ...) { return format != 0; }
int main(void) { return parse(2); }
"#;

/// More paths than can ever be explored.
const ENDLESS: &str = r#"
int endless(const unsigned char *bytes) {
  int large = 0;
  for (int i = 0; i < 40; i++)
    if (bytes[i] > 100)
      large++;
  return large;
}
int small(int a) { return a > 3 ? 1 : 0; }
"#;

/// Bad input ends with code 1 and one sentence that has all the parts; nothing else is printed.
#[track_caller]
fn check_refused(done: &Done, parts: &[&str]) {
    assert_eq!(done.code, Some(1), "{done}");
    assert_eq!(done.stdout, "", "{done}");
    assert_eq!(done.stderr.lines().count(), 1, "not one line: {done}");
    for part in parts {
        assert!(done.stderr.contains(part), "nothing is said about {part}: {done}");
    }
}

fn library() -> Workbench {
    let bench = Workbench::new();
    bench.write("lib.c", LIBRARY);
    bench
}

/// Compiles a test in C and runs it.
fn run_in_c(bench: &Workbench, test: &str, flags: &[&str]) -> Done {
    let executable = bench.path("unit");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-o"]).arg(&executable).arg(bench.path(test)).args(flags);
    let done = bench.finish(compiler);
    assert_eq!(done.code, Some(0), "{done}");
    bench.finish(Command::new(executable))
}

#[test]
fn the_nearest_name_is_suggested_for_what_does_not_exist() {
    let bench = library();
    check_refused(
        &bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "prase"]),
        &["`prase`", "did you mean `parse`?"],
    );
    check_refused(
        &bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "hiden"]),
        &["`hiden`", "did you mean `hidden`?"],
    );
    let globals = |names: &str| {
        bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "parse", &format!("--sym-globals={names}")])
    };
    check_refused(&globals("verbostiy"), &["`verbostiy`", "did you mean `verbosity`?"]);
    check_refused(&globals("verbosity,zzzzzzzzz"), &["no global variable `zzzzzzzzz`"]);
    check_refused(&globals("limit"), &["`limit` that can change"]);
    assert!(!bench.path("secateur-out").exists());
}

#[test]
fn contradictions_are_refused() {
    let bench = library();
    let done = bench.secateur(&["run", "--jobs", "1", "lib.c", "--each-function", "--entry", "parse"]);
    check_refused(&done, &["--each-function", "--entry", "cannot be used with"]);
    for option in ["--sym-globals", "--non-null", "--array-len=2", "--str-len=2", "--pointer-depth=2"] {
        let name = option.split('=').next().unwrap_or_default();
        check_refused(
            &bench.secateur(&["run", "--jobs", "1", "lib.c", option]),
            &[name, "is for single functions", "--entry"],
        );
    }
    let parse = |option: &str| bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "parse", option]);
    check_refused(&parse("--max-len=4"), &["--entry", "--max-len", "cannot be used with"]);
    check_refused(&parse("--array-len=0"), &["--array-len", "0"]);
    bench.write("main.c", "int main(void) { return 0; }");
    check_refused(
        &bench.secateur(&["run", "--jobs", "1", "main.c", "--each-function"]),
        &["main.c", "no function to test"],
    );
    check_refused(
        &bench.secateur(&["run", "--jobs", "1", "absent.c", "--each-function"]),
        &["absent.c", "o such file"],
    );
}

#[test]
fn what_is_too_large_is_refused() {
    let bench = Workbench::new();
    bench.write("lib.c", "int get(const long *values) { return values && *values > 3; }");
    let done = bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "get", "--array-len", "4294967295"]);
    check_refused(&done, &["`get`", "what `values` points to would have 34359738360 bytes", "--array-len"]);
}

#[test]
fn an_unsupported_parameter_is_named() {
    let bench = library();
    bench.write("exact.c", "long double half(long double exact) { return exact / 2; }");
    let done = bench.secateur(&["run", "--jobs", "1", "exact.c", "--entry", "half"]);
    check_refused(&done, &["`half`", "its parameter `exact` is a long double, which cannot be symbolic"]);
    let done = bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "call"]);
    check_refused(&done, &["`call`", "its parameter `callback` is a pointer to a function"]);
    check_refused(
        &bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "print"]),
        &["`print`", "variable arguments"],
    );
}

#[test]
fn objects_that_only_the_c_library_can_make_are_refused() {
    let bench = Workbench::new();
    let text = "#include <stdarg.h>\n#include <stdio.h>\nint next(FILE *in) { return getc(in); }\n\
                int first(va_list list) { return va_arg(list, int); }\n";
    bench.write("lib.c", text);
    check_refused(
        &bench.secateur(&["run", "lib.c", "--entry", "next"]),
        &["`next`", "its parameter `in` points to a `FILE`, which only the C library can make"],
    );
    check_refused(&bench.secateur(&["run", "lib.c", "--entry", "first"]), &["`first`", "`list`", "the C library"]);
}

#[test]
fn each_function_is_a_row_and_a_folder() {
    let bench = library();
    let done = bench.secateur(&["run", "--jobs", "1", "lib.c", "--each-function"]);
    assert_eq!(done.code, Some(0), "{done}");
    let rows: Vec<&str> = done.stdout.lines().collect();
    for (row, parts) in rows.iter().zip([
        &["function", "branches"][..],
        &["parse", "2/2"],
        &["hidden", "2/2"],
        &["call", "not tested: its parameter `callback`"],
        &["print", "not tested: it takes variable arguments"],
    ]) {
        assert!(parts.iter().all(|part| row.contains(part)), "{parts:?}: {done}");
    }
    assert_eq!(rows.len(), 5, "main is left out: {done}");
    let json = bench.json("secateur-out/functions.json");
    assert_eq!(json["functions"][0]["function"], "parse");
    assert_eq!(json["functions"][0]["branches"]["covered"], 2);
    assert_eq!(json["functions"][2]["outcome"], "unsupported");
    for name in ["parse", "hidden"] {
        assert_eq!(bench.tests(&format!("secateur-out/{name}")), 2);
        let ran = run_in_c(&bench, &format!("secateur-out/{name}/tests/{name}_test.c"), &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "2 of 2 tests passed\n"), "{ran}");
    }
    assert_eq!(bench.secateur(&["replay", "secateur-out/parse"]).code, Some(0));
    bench.write("lib.c", "int other(int a) { return a; }");
    assert_eq!(bench.secateur(&["run", "--jobs", "1", "lib.c", "--each-function"]).code, Some(0));
    assert!(!bench.path("secateur-out/parse").exists(), "the results of an earlier run are removed");
}

#[test]
fn the_tests_of_all_functions_are_replayed_at_once() {
    let bench = library();
    bench.secateur(&["run", "--jobs", "1", "lib.c", "--each-function"]);
    let done = bench.secateur(&["replay"]);
    assert_eq!(done.code, Some(0), "{done}");
    let lines: Vec<&str> = done.stdout.lines().collect();
    let expected = [
        "parse   2 of 2 tests did what was predicted",
        "hidden  2 of 2 tests did what was predicted",
        "4 of 4 tests of 2 functions did what was predicted",
    ];
    assert_eq!(lines, expected, "{done}");

    let done = bench.secateur(&["replay", "--test", "hidden/000002"]);
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.starts_with("hidden/000002 ok exit 0"), "{done}");
    assert!(done.stdout.ends_with("1 of 1 tests of 1 function did what was predicted\n"), "{done}");
    let done = bench.secateur(&["replay", "--test", "000002"]);
    check_refused(&done, &["there is no test 000002", "such as parse/000001"]);

    // Makes the prediction wrong: it becomes that of the other test of the same function.
    let expected = "secateur-out/hidden/tests/expected.jsonl";
    let text = String::from_utf8_lossy(&bench.read(expected)).into_owned();
    let numbered = |number: u32| format!("\"test\":{number},");
    let swapped = text.replace(&numbered(1), &numbered(3)).replace(&numbered(2), &numbered(1));
    let swapped = swapped.replace(&numbered(3), &numbered(2));
    bench.write(expected, swapped);
    let done = bench.secateur(&["replay", "--quiet"]);
    assert_eq!(done.code, Some(1), "{done}");
    assert!(done.stdout.starts_with("hidden/"), "{done}");
    assert!(done.stdout.contains("hidden  0 of 2 tests"), "{done}");
    assert!(done.stdout.ends_with("2 of 4 tests of 2 functions did what was predicted\n"), "{done}");
    bench.write("secateur-out/functions.json", "{}");
    check_refused(&bench.secateur(&["replay"]), &["cannot read", "functions.json"]);
}

#[test]
fn a_limit_of_time_is_for_each_function() {
    let bench = Workbench::new();
    bench.write("slow.c", ENDLESS);
    let args = [
        "run",
        "--jobs",
        "1",
        "slow.c",
        "--each-function",
        "--max-time",
        "500ms",
        "--grace",
        "0s",
        "--non-null",
        "--str-len",
        "40",
    ];
    let done = bench.secateur(&args);
    assert_eq!(done.code, Some(0), "{done}");
    let row = |name: &str| done.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_string();
    assert!(row("endless").contains("time limit"), "{done}");
    assert!(row("small").contains("100%"), "{done}");
}

#[test]
fn ctrl_c_ends_the_table_with_what_is_known() {
    let bench = Workbench::new();
    bench.write("slow.c", ENDLESS);
    let args = ["run", "--jobs", "1", "slow.c", "--each-function", "--grace", "0s", "--non-null", "--str-len", "40"];
    let mut command = bench.command(&args);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("it starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while bench.tests("secateur-out/endless") == 0 {
        assert!(Instant::now() < deadline, "no test is written");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status().expect("kill exists");
    assert!(sent.success());
    let done = Done::from(child.wait_with_output().expect("it ends"));
    assert_eq!(done.code, Some(0), "{done}");
    let json = bench.json("secateur-out/functions.json");
    assert_eq!(json["stopped"], "interrupted", "{done}");
    assert_eq!(json["functions"][0]["stopped"], "interrupted", "{done}");
    assert_eq!(json["untested"][0], "small", "{done}");
}

#[test]
fn a_static_function_of_another_file_can_be_tested() {
    let bench = library();
    bench.write("first.c", "int first(void) { return 1; }");
    let done = bench.secateur(&["run", "--jobs", "1", "first.c", "lib.c", "--entry", "hidden"]);
    assert_eq!(done.code, Some(0), "{done}");
    let first = bench.path("first.c");
    let flags = [first.to_str().expect("a path of letters")];
    let ran = run_in_c(&bench, "secateur-out/tests/hidden_test.c", &flags);
    assert_eq!(ran.stdout, "2 of 2 tests passed\n", "{ran}");
}

#[test]
fn the_command_in_the_head_works_where_the_file_is() {
    let bench = Workbench::new();
    std::fs::create_dir(bench.path("headers")).expect("a folder can be made");
    bench.write("headers/limit.h", "#define LIMIT 3\n");
    bench.write(
        "odd na$me.c",
        "#include <limit.h>\nint over(int a) {\n  if (a > LIMIT + MORE)\n    return 1;\n  return 0;\n}\n",
    );
    let done = bench.secateur(&[
        "run",
        "--jobs",
        "1",
        "odd na$me.c",
        "--entry",
        "over",
        "-I",
        "headers",
        "-D",
        "MORE=(1 + 1)",
    ]);
    assert_eq!(done.code, Some(0), "{done}");
    let text = String::from_utf8_lossy(&bench.read("secateur-out/tests/over_test.c")).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix(" *   cc ")).expect("there is a command in its head");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("cc {line}")).current_dir(bench.path("secateur-out/tests"));
    let done = bench.finish(shell);
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "2 of 2 tests passed\n"), "{done}");
}

#[test]
fn tests_in_c_detect_a_change() {
    let bench = library();
    assert_eq!(bench.secateur(&["run", "--jobs", "1", "lib.c", "--entry", "parse", "--sym-globals"]).code, Some(0));
    let test = "secateur-out/tests/parse_test.c";
    assert_eq!(run_in_c(&bench, test, &[]).code, Some(0));
    bench.write("lib.c", LIBRARY.replace("a > 3", "a > 2147483646"));
    let ran = run_in_c(&bench, test, &[]);
    assert!(ran.code == Some(1) && ran.stdout.contains("parse_test_2 failed"), "{ran}");
    bench.write("moved.c", LIBRARY.replace("++counter", "counter += 2"));
    let ran = run_in_c(&bench, test, &[&format!("-DUNIT_SOURCE=\"{}\"", bench.path("moved.c").display())]);
    assert!(ran.code == Some(1) && ran.stdout.contains("parse_test_1 failed"), "{ran}");
}

#[test]
fn a_bug_is_listed_and_not_run() {
    let bench = Workbench::new();
    bench.write("bug.c", "int get(const int *at) {\n  return *at + 1;\n}\n");
    assert_eq!(bench.secateur(&["run", "--jobs", "1", "bug.c", "--entry", "get", "--array-len", "1"]).code, Some(10));
    let test = "secateur-out/tests/get_test.c";
    let text = String::from_utf8_lossy(&bench.read(test)).into_owned();
    assert!(text.contains("null-pointer") && text.contains("get(NULL);"), "{text}");
    let ran = run_in_c(&bench, test, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "1 of 1 tests passed\n"), "{ran}");
    let ran = run_in_c(&bench, test, &["-DRUN_FAILING"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("1 of 2 tests passed"), "{ran}");
}

/// A null pointer is a bug only if somebody passes it, or if it is not needed to see the bug.
#[test]
fn what_callers_may_not_pass_is_no_bug() {
    let bench = Workbench::new();
    let program = r#"#include <stdlib.h>
struct pair { int *first, *second; };
static int avoided(int *a) { return *a; }
static int passed(int *a) { return *a; }
int either(int *a, int *b) { return *(a ? b : a); }
int inner(struct pair *pair) { return pair ? *pair->second : 0; }
int handled(int *a) { static int table[2]; return a == NULL ? table[2 + (*(volatile int *)table == 0)] : 1; }
int anyway(int *a, int n) { int *b = n == 5 ? NULL : &n; return a ? *b : 0; }
int main(void) { int x = 0; return avoided(&x) + passed(NULL); }
"#;
    bench.write("lib.c", program);
    let done = bench.secateur(&["run", "lib.c", "--each-function", "--jobs", "1", "--quiet", "--all-tests"]);
    assert_eq!(done.code, Some(10), "{done}");
    let functions = bench.json("secateur-out/functions.json");
    let found: Vec<_> = functions["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let bugs = row["bugs"].as_array().unwrap().iter();
            let bugs = bugs.map(|bug| (bug["kind"].as_str().unwrap(), bug.get("needs").cloned().unwrap_or_default()));
            (row["function"].as_str().unwrap(), bugs.collect::<Vec<_>>())
        })
        .collect();
    let null = "null-pointer";
    let nothing = serde_json::Value::Null;
    let needs = |names: &[&str]| serde_json::json!(names);
    let expected = [
        ("avoided", vec![(null, needs(&["a"]))]),
        ("passed", vec![(null, nothing.clone())]),
        ("either", vec![(null, needs(&["a", "b"]))]),
        ("inner", vec![(null, needs(&["pair[0].second"]))]),
        ("handled", vec![("out-of-bounds-read", nothing.clone())]),
        ("anyway", vec![(null, nothing)]),
    ];
    assert_eq!(found, expected, "{done}");
    // Without a bug in any case, the run is a success.
    bench.write("avoided.c", "int avoided(int *a) { return *a; }\n");
    let done = bench.secateur(&["run", "avoided.c", "--each-function", "--jobs", "1", "--out", "avoided"]);
    assert_eq!(done.code, Some(0), "{done}");
    let remark = "needs a precondition: `a` is not null; confirmed)";
    assert!(done.stdout.contains("  1 needs a precondition\n") && done.stdout.contains(remark), "{done}");
}
