//! Native help: a harness that covers, crashes, hangs, exits and takes memory is run on many inputs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use secateur_program::{LoadOptions, Runtime, load};
use secateur_suite::replay::{Checker, Native, NativeOptions, ReplayOptions};
use secateur_suite::{CodeMap, OutDir, OutOptions};

const HARNESS: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int ready;
static volatile int sink;
int LLVMFuzzerInitialize(int *argc, char ***argv) { ready++; return 0; }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (ready != 1) abort();
  if (size < 2) return 0;
  if (data[0] == 'e') exit(3);
  if (data[0] == 'h') for (;;) sink++;
  if (data[0] == 'a') abort();
  if (data[0] == 'o') sink = data[size];
  if (data[0] == 'm') for (;;) { char *more = malloc(1 << 20); if (more) memset(more, 1, 1 << 20); }
  if (data[0] == '(' && data[1] == ')') sink = 1;
  if (size > 4 && memcmp(data, "while", 5) == 0) sink = 2;
  return 0;
}
"#;

fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime")
}

fn build(folder: &Path) -> Native {
    build_of(folder, HARNESS)
}

fn build_of(folder: &Path, harness: &str) -> Native {
    let source = folder.join("fuzz.c");
    std::fs::write(&source, harness).unwrap();
    let include = runtime().join("include");
    let options = LoadOptions {
        inputs: vec![source],
        runtime: Runtime { include: Some(include), ..Runtime::default() },
        ..LoadOptions::default()
    };
    let loaded = load(&options).unwrap_or_else(|error| panic!("{error}"));
    let out = OutDir::create(&folder.join("out"), OutOptions::default()).unwrap();
    out.write_program(&loaded.user_bitcode, &CodeMap::of(&loaded.program)).unwrap();
    let native = NativeOptions { seed: 1, max_len: 64, words: vec![b"while".to_vec()], ..NativeOptions::default() };
    Native::build(out.path(), &ReplayOptions::new(&runtime()), native).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn inputs_run_natively_whatever_they_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut native = build(folder.path());
    let inputs: Vec<Vec<u8>> = ["", "xx", "xx", "aa", "hh", "ee", "oo", "mm", "()", "xy"]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    let covers_new = native.run(&inputs).unwrap();
    assert_eq!(covers_new, [true, true, false, true, true, true, true, true, true, false]);
    let counts = native.counts();
    // Reading one byte too many is no crash without AddressSanitizer.
    assert_eq!((counts.runs, counts.crashes, counts.hangs), (10, 1, 2));
    // The same again is nothing new, also after all these ends.
    assert!(native.run(&inputs[8..]).unwrap().iter().all(|new| !new));
}

/// A harness that attacks its user natively: it is confined as replay is.
#[test]
fn a_harness_changes_nothing_outside_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "text").unwrap();
    let harness = format!(
        r#"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <signal.h>
#include <unistd.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {{
  if (size == 0) return 0;
  if (remove("{0}") == 0) return 1;
  FILE *file = fopen("{0}", "w");
  if (file != NULL) return 2;
  kill({1}, SIGTERM);
  if (fork() == 0) sleep(1000);
  return 0;
}}
"#,
        precious.display(),
        std::process::id()
    );
    let mut native = build_of(folder.path(), &harness);
    native.run(&[vec![], vec![1], vec![2]]).unwrap();
    assert_eq!(native.counts().runs, 3);
    drop(native);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "text");
}

#[test]
fn a_corpus_is_reduced_to_what_covers_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut native = build(folder.path());
    let mut inputs: Vec<Vec<u8>> = (0..1000).map(|number| format!("x{number:06}").into_bytes()).collect();
    inputs.insert(700, b"while (1) {}".to_vec());
    inputs.push(b"()".to_vec());
    let kept = native.reduce(&inputs).unwrap();
    assert_eq!(kept, [1001, 0, 700]);
}

#[test]
fn mutants_find_branches_and_crashes() {
    let folder = tempfile::tempdir().unwrap();
    let mut native = build(folder.path());
    native.check_with(Checker::build(&folder.path().join("out"), &ReplayOptions::new(&runtime())).unwrap());
    let mut found = Vec::new();
    // By chance, but the chance of missing one of them in so many rounds is nil.
    for _ in 0..500 {
        native.fuzz(Duration::from_millis(20)).unwrap();
        found.extend(native.take_found());
        let starts = |text: &[u8]| found.iter().any(|found| found.data.starts_with(text) && !found.crashes);
        if found.iter().filter(|found| found.crashes).count() >= 2 && starts(b"while") {
            return;
        }
    }
    panic!("only {found:?} after {:?}", native.counts());
}
