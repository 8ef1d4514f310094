//! A path that was interrupted is continued after any of its decisions: it ends as it would have, and so do all paths
//! that leave it later. Those that leave it earlier belong to whoever has its flips.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use secateur_explore::{
    Continued, Event, Keeper, PathEnd, PendingItem, PortablePath, Settings, StopReason, Subscriber, Tuning, search,
};
use secateur_machine::{Machine, Options, Refuted};
use secateur_program::Program;
use secateur_solver::Solver;
use support::load_program;

/// The paths of a run.
#[derive(Default)]
struct Paths {
    /// By number: the identity, the path that it left, and after how many decisions.
    all: BTreeMap<u64, (u64, u64, u32)>,
    decisions: u32,
}

impl Subscriber for Paths {
    type Error = Infallible;
    type Keeper = NoKeeper;

    fn keeper(&self) -> NoKeeper {
        NoKeeper
    }

    fn receive(&mut self, event: Event<()>) -> Result<(), Infallible> {
        if let Event::PathEnded(path, _) = event {
            let departure = path.departure;
            assert!(self.all.insert(path.number, (path.identity, departure.parent, departure.depth)).is_none());
            if path.number == 1 {
                self.decisions = path.decisions;
            }
        }
        Ok(())
    }
}

impl Paths {
    fn identities(&self) -> BTreeSet<u64> {
        let identities: BTreeSet<u64> = self.all.values().map(|(identity, ..)| *identity).collect();
        assert_eq!(identities.len(), self.all.len(), "no path is taken twice");
        identities
    }

    /// The first path, and those that leave it after this many decisions or more.
    fn after(&self, decisions: u32) -> BTreeSet<u64> {
        let left_at = |mut number: u64| loop {
            match self.all[&number] {
                _ if number == 1 => return u32::MAX,
                (_, 1, depth) => return depth,
                (_, parent, _) => number = parent,
            }
        };
        let later = self.all.iter().filter(|(number, _)| left_at(**number) >= decisions);
        later.map(|(_, (identity, ..))| *identity).collect()
    }
}

struct NoKeeper;

impl Keeper for NoKeeper {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, _: &PathEnd<'_>) -> Option<()> {
        None
    }
}

fn explore(program: &Arc<Program>, refuted: Refuted, input: &[u8], continued: Option<Continued>) -> Paths {
    let mut machine = Machine::new(Arc::clone(program), Options { refuted, ..Options::default() });
    let mut solver = Solver::new(secateur_solver::Options::default()).expect("the solver can be started");
    let searcher = search::by_name("dfs", 0, &Tuning::default()).expect("the name is known");
    let settings = Settings { first_input: input.to_vec(), continued, ..Settings::new(searcher) };
    let mut paths = Paths::default();
    let Ok(result) = secateur_explore::explore(&mut machine, &mut solver, settings, &mut paths);
    assert_eq!((result.reason, result.counters.lost), (StopReason::Finished, 0));
    paths
}

#[track_caller]
fn check(file: &str, flags: &[&str], inputs: &[&[u8]]) {
    let program = load_program(file, flags);
    for refuted in [Refuted::Counted, Refuted::Offered] {
        for input in inputs {
            let whole = explore(&program, refuted, input, None);
            for decisions in 0..=whole.decisions {
                let path = PortablePath { input: Arc::from(*input), decisions, ..PortablePath::first() };
                let continued = Continued { items: vec![PendingItem::Path(path)], paths: 1 };
                let rest = explore(&program, refuted, &[], Some(continued));
                assert_eq!(rest.identities(), whole.after(decisions), "{file} {input:?}: after {decisions} decisions");
            }
        }
    }
}

/// Many decisions follow from earlier ones, and some paths end after those.
#[test]
fn a_path_goes_on_after_any_decision() {
    check("crates/explore/tests/programs/implied.c", &[], &[b"", b"\x05\x01", b"\x05\x09", b"\x20\x20", b"\x0f\0"]);
    check("crates/explore/tests/programs/values.c", &[], &[b"\x03\x0ax", b"\x05\x0b"]);
    check("crates/explore/tests/programs/stages.c", &[], &[b"", b"abcdefgh"]);
    check("crates/explore/tests/programs/pointers.c", &[], &[b"", b"\x01\x02\x03"]);
    check("bench/tritype.c", &["-DKLEE"], &[b"", b"\x03\0\0\0\x04\0\0\0\x05\0\0\0"]);
}
