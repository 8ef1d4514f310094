//! Every bug and everything unsupported that a path of the corpus meets is at an instruction of which that was foreseen: look-ahead relies on it.

mod support;

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rustc_hash::FxHashMap;
use secateur_explore::{Event, Keeper, Limits, PathEnd, Subscriber, search};
use secateur_machine::{End, Hazards, Inspection, Machine, Options};
use secateur_program::{FuncId, LoadOptions, OptLevel, Runtime, load};

/// What was met, and what of it was not foreseen.
#[derive(Default)]
struct Foreseen {
    seen: u64,
    wrong: Vec<String>,
}

impl Subscriber for Foreseen {
    type Error = Infallible;
    type Keeper = Inspector;

    fn keeper(&self) -> Inspector {
        Inspector::default()
    }

    fn receive(&mut self, event: Event<Option<String>>) -> Result<(), Infallible> {
        if let Event::PathEnded(_, Some(wrong)) = event {
            self.seen += 1;
            self.wrong.extend(wrong);
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
    /// What was not foreseen.
    type Record = Option<String>;

    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Option<String>> {
        let (function, pc) = (path.state.frame.function, path.state.frame.pc as usize);
        let hazards = self
            .hazards
            .entry(function)
            .or_insert_with(|| Inspection::new(&machine.program, machine.options()).function(function))[pc];
        let (foreseen, what) = match path.end {
            End::Bug(bug) => (hazards.has(bug.kind), bug.message.clone()),
            End::Unsupported(what) => (hazards.has_unsupported(), what.what.clone()),
            End::Exit(_) | End::Assumed | End::Ignored(_) | End::Limit(_) => return None,
        };
        let name = &machine.program.functions[function.index()].name;
        Some((!foreseen).then(|| format!("instruction {pc} of `{name}`: {what}")))
    }
}

/// Explores a program; tells how many paths ended otherwise than normally, and what of that was not foreseen.
fn explore(file: &Path, runtime: &Path, opt_level: OptLevel) -> (u64, Vec<String>) {
    let load_options = LoadOptions {
        inputs: vec![file.to_path_buf()],
        opt_level,
        runtime: Runtime::at(runtime),
        shims: secateur_machine::shim_names(),
        ubsan: true,
        ..LoadOptions::default()
    };
    // Some programs are made for options that are not given here.
    let Ok(loaded) = load(&load_options) else { return (0, Vec::new()) };
    let all = opt_level == OptLevel::O2;
    let options = Options { track_uninit: all, check_leak: all, max_instructions: 3_000_000, ..Options::default() };
    let mut foreseen = Foreseen::default();
    let searcher = search::by_name("default", 0).expect("it is known");
    let limits = Limits { paths: Some(200), ..Limits::default() };
    support::run_with(&Arc::new(loaded.program), options, searcher, Vec::new(), limits, Arc::default(), &mut foreseen);
    (foreseen.seen, foreseen.wrong)
}

/// With few checks at -O0 and with all at -O2, in turn.
#[test]
fn what_goes_wrong_was_foreseen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let runtime = std::env::var_os("SECATEUR_RUNTIME").map_or_else(|| root.join("lib/secateur"), PathBuf::from);
    let mut files = Vec::new();
    for folder in ["bug", "memory", "unsupported", "libc"] {
        let entries = std::fs::read_dir(root.join("tests/programs").join(folder)).expect("the corpus is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let (next, seen) = (AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { break };
            let opt_level = if index % 2 == 0 { OptLevel::O0 } else { OptLevel::O2 };
            let (ends, wrong) = explore(file, &runtime, opt_level);
            seen.fetch_add(ends, Ordering::Relaxed);
            assert!(wrong.is_empty(), "{}: {}", file.display(), wrong.join("\n"));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let seen = seen.into_inner();
    assert!(seen > 80, "only {seen} paths ended otherwise than normally");
}
