//! Native help: mutated inputs that run natively, and what the engine makes of those that find something.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use workbench::Workbench;

/// More paths than can be explored, and a bug behind a hash: one input in 256 has it.
const HARNESS: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 40) return 0;
  int sum = 0;
  for (int i = 0; i < 40; i++) if (data[i] > 9) sum += i;
  uint64_t hash = 14695981039346656037ull;
  for (int i = 0; i < 8; i++) hash = (hash ^ data[i]) * 1099511628211ull;
  if ((uint8_t)(hash >> 56) == 0x5a) abort();
  return sum;
}
"#;

/// Without a solver for it, the engine finds the bug by following an input that has crashed natively; it is reported
/// like any other.
#[test]
fn what_crashes_natively_is_followed_to_its_bug() {
    let bench = Workbench::new();
    bench.write("fuzz.c", HARNESS);
    let alone = ["verify", "fuzz.c", "--max-len", "40", "--solver-rungs", "known", "--jobs", "1"];
    let done = bench.secateur(&[&alone[..], &["--native-share", "50", "--max-time", "5m"]].concat());
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("fuzz.c:10: abort: abort is called (bugs/000001.ktest, confirmed)"), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert!(summary["native"]["crashes"].as_u64() >= Some(1), "{summary}");
}

#[test]
fn only_a_libfuzzer_harness_can_be_run_many_times() {
    let bench = Workbench::new();
    bench.write("prog.c", "int main(void) { return 0; }\n");
    let done = bench.secateur(&["run", "prog.c", "--native-share", "50"]);
    assert_eq!(done.code, Some(1), "{done}");
    assert_eq!(done.stderr, "secateur: --native-share needs a libFuzzer harness: LLVMFuzzerTestOneInput\n", "{done}");
    assert_eq!(bench.secateur(&["run", "prog.c", "--native-share", "0"]).code, Some(0));
}
