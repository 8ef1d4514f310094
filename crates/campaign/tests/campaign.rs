//! Campaigns without a command line: what a watcher is told, what is written and what is returned.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use secateur_campaign::{
    BackwardProgress, CampaignResult, JournalError, Keep, Options, RoundProgress, Sources, Watcher, run,
};
use secateur_explore::{Settings, Tuning, search};
use secateur_machine::{Options as MachineOptions, shim_names};
use secateur_program::{LoadOptions, Loaded, Runtime, load};
use secateur_solver::Solver;
use secateur_suite::{BugReport, OutError, OutOptions, Sample};

/// Eight paths; the assertion on line 8 fails on two of them.
const PROGRAM: &str = "#include <klee/klee.h>
#include <assert.h>
int main(void) {
  unsigned char bytes[3];
  int large = 0;
  klee_make_symbolic(bytes, sizeof bytes, \"bytes\");
  for (int i = 0; i < 3; i++) if (bytes[i] > 100) large += i + 1;
  assert(large != 3);
  return 0;
}
";

/// Notes what it is told.
#[derive(Default)]
struct Notes {
    bugs: Vec<String>,
    outputs: u64,
    samples: u64,
    explored: bool,
}

impl Watcher for Notes {
    fn bug_found(&mut self, bug: &BugReport) {
        self.bugs.push(format!("{}:{}:{}", bug.line, bug.kind, bug.test));
    }

    fn warn(&mut self, sentence: &str) {
        panic!("{sentence}");
    }

    fn wants_output(&self) -> bool {
        true
    }

    fn output(&mut self, _path: u64, output: &[u8], errors: &[u8]) {
        assert!(output.is_empty() && errors.is_empty());
        self.outputs += 1;
    }

    fn wants_sample(&self, _now: Instant) -> bool {
        true
    }

    fn sample(&mut self, _sample: &Sample, _round: Option<&RoundProgress>) {
        assert!(!self.explored);
        self.samples += 1;
    }

    fn searching(&mut self, _: &str, _: f64, _: &BackwardProgress) {}

    fn explored(&mut self) {
        self.explored = true;
    }
}

fn program(folder: &Path) -> Loaded {
    let file = folder.join("program.c");
    std::fs::write(&file, PROGRAM).unwrap();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
    let options = LoadOptions {
        inputs: vec![file],
        runtime: Runtime { include: Some(include), libc: None },
        shims: shim_names(),
        ..LoadOptions::default()
    };
    load(&options).unwrap_or_else(|error| panic!("{error}"))
}

fn options(out: &Path, keep: Keep) -> Options<'static> {
    Options {
        started: Instant::now(),
        machine: MachineOptions::default(),
        solver: Solver::new(Default::default()).unwrap(),
        exploration: Settings::new(search::by_name("dfs", 0, &Tuning::default()).unwrap()),
        learning: None,
        steps: None,
        seeds: None,
        native: None,
        out: out.to_path_buf(),
        beginning: None,
        journal: None,
        tests: OutOptions::default(),
        keep,
        sources: Sources { program: Vec::new(), flags: Vec::new() },
        c_tests: Default::default(),
        tuning: Default::default(),
        list_paths: u64::MAX,
        log_paths: false,
        confirm: None,
        verify: None,
        report: true,
        program: vec!["program.c".to_string()],
        echoed: BTreeMap::from([("seed".to_string(), 0.into())]),
        entry: None,
    }
}

fn campaign(folder: &Path, keep: Keep) -> (CampaignResult, Notes) {
    let mut notes = Notes::default();
    let result = run(program(folder), options(&folder.join("out"), keep), &mut notes).unwrap();
    (result, notes)
}

#[test]
fn the_watcher_and_the_result_agree_with_the_output_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (result, notes) = campaign(folder.path(), Keep::All);
    assert_eq!(notes.bugs, ["8:assertion:bugs/000001.ktest"], "each bug is reported once");
    assert_eq!((notes.outputs, notes.explored), (8, true));
    assert!(notes.samples > 0);
    assert_eq!((result.summary.paths.completed, result.explored.counters.bugs), (8, 2));
    assert!(result.has_input && result.summary.complete && result.summary.tree_nodes > 0);
    assert!(result.unsupported.is_empty() && result.c_tests.is_none() && result.fault.is_none());
    assert_eq!(result.out, folder.path().join("out"));
    assert!(result.report.is_some_and(|report| report.is_file()));
    let read = |name| std::fs::read_to_string(result.out.join(name)).unwrap();
    assert_eq!(read("paths.csv").lines().count(), 1 + 8);
    assert!(read("summary.json").contains("\"seed\": 0"));
}

#[test]
fn bugs_are_written_whichever_tests_are_kept() {
    for (keep, tests) in [(Keep::All, 7..=7), (Keep::NewCoverage, 1..=6), (Keep::Nothing, 0..=0)] {
        let folder = tempfile::tempdir().unwrap();
        let (result, _) = campaign(folder.path(), keep);
        assert!(tests.contains(&result.summary.tests), "{keep:?}: {}", result.summary.tests);
        assert_eq!(result.summary.bugs.len(), 1, "{keep:?}");
    }
}

#[test]
fn a_foreign_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("thesis.tex"), "").unwrap();
    let result = run(program(folder.path()), options(&out, Keep::All), &mut Notes::default());
    assert!(matches!(result, Err(JournalError::Out(OutError::NotOurs { .. }))));
}
