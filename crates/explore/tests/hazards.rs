//! Every bug and everything unsupported on a path of the corpus is at an instruction for which the static analysis
//! predicts it: look-ahead relies on this.

mod support;

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rustc_hash::FxHashMap;
use secateur_explore::{Event, Keeper, Limits, PathEnd, Subscriber, Tuning, search};
use secateur_machine::{End, Hazards, Inspection, Machine, Options};
use secateur_program::{FuncId, LoadOptions, OptLevel, Runtime, load};

/// How many paths ended in a hazard, and which of these were not predicted.
#[derive(Default)]
struct Findings {
    ends: u64,
    unpredicted: Vec<String>,
}

impl Subscriber for Findings {
    type Error = Infallible;
    type Keeper = Inspector;

    fn keeper(&self) -> Inspector {
        Inspector::default()
    }

    fn receive(&mut self, event: Event<Option<String>>) -> Result<(), Infallible> {
        if let Event::PathEnded(_, Some(unpredicted)) = event {
            self.ends += 1;
            self.unpredicted.extend(unpredicted);
        }
        Ok(())
    }
}

/// Looks up the instruction at which each path ends.
#[derive(Default)]
struct Inspector {
    hazards: FxHashMap<FuncId, Vec<Hazards>>,
}

impl Keeper for Inspector {
    /// The hazard, if it was not predicted.
    type Record = Option<String>;

    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Option<String>> {
        let (function, pc) = (path.state.frame.function, path.state.frame.pc as usize);
        let hazards = self
            .hazards
            .entry(function)
            .or_insert_with(|| Inspection::new(&machine.program, machine.options()).function(function))[pc];
        let (predicted, what) = match path.end {
            End::Bug(bug) => (hazards.has(bug.kind), bug.message.clone()),
            End::Unsupported(what) => (hazards.has_unsupported(), what.what.clone()),
            End::Exit(_) | End::Assumed | End::Ignored(_) | End::Limit(_) => return None,
        };
        let name = &machine.program.functions[function.index()].name;
        Some((!predicted).then(|| format!("instruction {pc} of `{name}`: {what}")))
    }
}

/// Explores a program; returns how many paths ended in a bug or at something unsupported, and which of these hazards
/// were not predicted.
fn explore(file: &Path, runtime: &Path, opt_level: OptLevel) -> (u64, Vec<String>) {
    let load_options = LoadOptions {
        inputs: vec![file.to_path_buf()],
        opt_level,
        runtime: Runtime::at(runtime),
        shims: secateur_machine::shim_names(),
        ubsan: true,
        ..LoadOptions::default()
    };
    // Some programs need options that are not given here.
    let Ok(loaded) = load(&load_options) else { return (0, Vec::new()) };
    let all = opt_level == OptLevel::O2;
    let options = Options { track_uninit: all, check_leak: all, max_instructions: 3_000_000, ..Options::default() };
    let mut findings = Findings::default();
    let searcher = search::by_name("default", 0, &Tuning::default()).expect("the name is known");
    let limits = Limits { paths: Some(200), ..Limits::default() };
    support::run_with(&Arc::new(loaded.program), options, searcher, Vec::new(), limits, Arc::default(), &mut findings);
    (findings.ends, findings.unpredicted)
}

/// Alternately with few checks at -O0 and with all at -O2.
#[test]
fn hazards_are_predicted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let runtime = std::env::var_os("SECATEUR_RUNTIME").map_or_else(|| root.join("lib/secateur"), PathBuf::from);
    let mut files = Vec::new();
    for folder in ["bug", "memory", "unsupported", "libc"] {
        let entries = std::fs::read_dir(root.join("tests/programs").join(folder)).expect("the corpus is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let (next, all) = (AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { break };
            let opt_level = if index % 2 == 0 { OptLevel::O0 } else { OptLevel::O2 };
            let (ends, unpredicted) = explore(file, &runtime, opt_level);
            all.fetch_add(ends, Ordering::Relaxed);
            assert!(unpredicted.is_empty(), "{}: {}", file.display(), unpredicted.join("\n"));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let ends = all.into_inner();
    assert!(ends > 80, "only {ends} paths ended in a bug or at something unsupported");
}
