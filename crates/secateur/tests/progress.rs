//! The progress of a run: a display that changes on a terminal, plain lines elsewhere, nothing if `--quiet` asks for
//! it.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use workbench::Workbench;

/// More paths than can be explored, and a bug on the way.
const ENDLESS: &str = r#"#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char bytes[64];
  int large = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 64; i++)
    if (bytes[i] > 100)
      large++;
  assert(large != 1);
  return large;
}
"#;

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("endless.c", ENDLESS);
    bench
}

/// `script` gives the program a terminal; it has no size of its own.
#[test]
fn a_terminal_gets_a_display_that_changes() {
    let bench = bench();
    let run = ["run", "endless.c", "--max-time", "3s", "--grace", "0s"];
    let script = "script -qec \"stty cols 100 rows 30 && $0 $*\" /dev/null";
    let done = bench.finish(bench.wrapped(&["sh", "-c", script], &run));
    for part in ["/s), ", " pending, ", ", 1 bug", "branches ", "%), ", " MiB"] {
        assert!(done.stdout.contains(part), "the display lacks {part:?}: {done}");
    }
    assert!(done.stdout.matches(" pending, ").count() > 5, "it does not change: {done}");
    assert!(done.stdout.contains('\u{1b}'), "it is not drawn anew: {done}");
    let bug = done.stdout.find("endless.c:10: assertion: ").unwrap_or_else(|| panic!("no bug is printed: {done}"));
    assert!(bug < done.stdout.find("stopped at the time limit").unwrap_or(0), "it is printed only at the end: {done}");
    assert!(done.stdout.contains("report    secateur-out/report.html"), "{done}");
}

#[test]
fn elsewhere_lines_are_printed() {
    let bench = bench();
    let run = ["run", "endless.c", "--max-time", "3s", "--grace", "0s"];
    let done = bench.secateur(&run);
    assert!(!done.stderr.contains('\u{1b}'), "{done}");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert!(lines.len() >= 2, "{done}");
    assert!(lines[0].starts_with("endless.c:10: assertion: "), "{done}");
    assert!(lines[1].contains(" pending, ") && lines[1].contains("branches "), "{done}");
    for silent in ["--quiet", "--json"] {
        let done = bench.secateur(&[&run[..], &[silent]].concat());
        assert_eq!(done.stderr, "", "{silent}: {done}");
    }
}
