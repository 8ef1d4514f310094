//! The instrumented program, compiled and run natively.

mod common;

use common::{LEVELS, Source, load_verified};
use secateur_program::LoadOptions;
use secateur_program::instrument::{InstrumentOptions, instrument};
use std::process::{Command, Output};

/// What the instrumented program calls; prints the trace.
const RECORDER: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    void __secateur_branch(unsigned number, unsigned outcome) { fprintf(stderr, "b%u:%u ", number, outcome); }
    void __secateur_block(unsigned number) { fprintf(stderr, "%u ", number); }
    void __secateur_unreachable(void) { fprintf(stderr, "unreachable"); _Exit(9); }
    void __secateur_assume(unsigned holds) { if (!holds) __secateur_unreachable(); }
    void __secateur_forget_frames(void) {}
    void __secateur_forget_local(void *address, unsigned long size, unsigned long count) {}
    void __secateur_arguments(int count, char **list) {}
    void __secateur_fresh(void *address, unsigned long size, unsigned long count) {}
    void __secateur_fresh_stack(void *address, unsigned long size, unsigned long count) {}
    void __secateur_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
      qsort(base, count, size, compare);
    }
"#;

fn run(text: &str, options: LoadOptions, what: InstrumentOptions, flags: &[&str], args: &[&str]) -> Output {
    let source = Source::new("a.c", text);
    let loaded = load_verified(&LoadOptions { inputs: vec![source.path()], ..options }).expect("it loads");
    let bitcode = instrument(&loaded.user_bitcode, &what).expect("it can be instrumented");
    let folder = source.folder();
    std::fs::write(folder.join("program.bc"), bitcode).expect("a small file");
    std::fs::write(folder.join("recorder.c"), RECORDER).expect("a small file");
    let built = Command::new("clang-19")
        .current_dir(folder)
        .args(["-g", "program.bc", "recorder.c", "-o", "program", "-w"])
        .args(flags)
        .output()
        .expect("clang-19 is installed");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut command = Command::new(folder.join("program"));
    command.args(args).env("ASAN_OPTIONS", "detect_stack_use_after_return=1:symbolize=0:detect_leaks=0");
    command.output().expect("it was just built")
}

const DECISIONS: &str = r#"
    int main(int argc, char **argv) {
      int s = 0;
      for (int i = 0; i < argc; i++) s += i;
      switch (argc) { case 1: s += 10; break; case 2: case 3: s += 20; break; case 4: s *= 2; break; default: s = 1; }
      return s;
    }
"#;

#[test]
fn branches_and_blocks_are_recorded() {
    let trace = InstrumentOptions { trace: true, ..InstrumentOptions::default() };
    let output = run(DECISIONS, LoadOptions::default(), trace, &[], &["x", "y"]);
    assert_eq!(output.status.code(), Some(23));
    let text = String::from_utf8_lossy(&output.stderr);
    // Three rounds, then the end of the loop, then the switch: 3 is the second target after the default.
    assert_eq!(text.trim(), "0 1 b0:1 2 3 1 b0:1 2 3 1 b0:1 2 3 1 b0:0 4 b1:2 6 9");
    let quiet = run(DECISIONS, LoadOptions::default(), InstrumentOptions::default(), &[], &[]);
    assert!(quiet.stderr.is_empty() && quiet.status.code() == Some(10));
}

#[test]
fn behaviour_is_the_same_at_every_level() {
    let trace = InstrumentOptions { trace: true, ..InstrumentOptions::default() };
    for opt_level in LEVELS {
        let options = LoadOptions { opt_level, ..LoadOptions::default() };
        assert_eq!(run(DECISIONS, options, trace, &["-O1"], &["x", "y", "z"]).status.code(), Some(12));
    }
}

#[test]
fn unreachable_code_stops_the_program() {
    let text = "#include <stdlib.h>\nint main(int c, char **v) { if (c == 1) __builtin_unreachable(); exit(3); }";
    let none = InstrumentOptions::default();
    assert_eq!(run(text, LoadOptions::default(), none, &[], &[]).status.code(), Some(9));
    assert_eq!(run(text, LoadOptions::default(), none, &[], &["x"]).status.code(), Some(3));
}

#[test]
fn address_sanitizer_detects_memory_errors() {
    let cases = [
        (
            "#include <stdlib.h>\nint main(int c, char **v) { char *p = malloc(4); p[3 + c] = 1; return p[0]; }",
            "heap-buffer-overflow",
        ),
        (
            "#include <stdlib.h>\nint main(int c, char **v) { char *p = malloc(4); free(p); return p[c]; }",
            "heap-use-after-free",
        ),
        ("int main(int c, char **v) { volatile int a[4] = {0}; return a[3 + c]; }", "stack-buffer-overflow"),
        ("int g[4]; int main(int c, char **v) { return g[3 + c]; }", "global-buffer-overflow"),
        (
            "int *p; __attribute__((noinline)) void f(int c) { volatile int x = c; p = (int *)&x; } int main(int c, char **v) { f(c); return *p; }",
            "stack-use-after-return",
        ),
    ];
    for (text, expected) in cases {
        let what = InstrumentOptions { asan: true, trace: true, ..InstrumentOptions::default() };
        let output = run(text, LoadOptions::default(), what, &["-fsanitize=address"], &[]);
        let report = String::from_utf8_lossy(&output.stderr);
        assert!(report.contains(expected), "{expected}: {report}");
    }
}

#[test]
fn memory_sanitizer_detects_uninitialised_reads() {
    let what = InstrumentOptions { msan: true, ..InstrumentOptions::default() };
    let text = "int main(int c, char **v) { volatile int a[2]; a[0] = c; return a[c] > 3 ? 1 : 2; }";
    let output = run(text, LoadOptions::default(), what, &["-fsanitize=memory"], &[]);
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(report.contains("use-of-uninitialized-value"), "{report}");
}
