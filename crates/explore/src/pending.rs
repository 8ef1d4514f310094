//! What is pending, for a subscriber that keeps it: a run that is killed or stopped can then be continued.
//!
//! A worker delivers its events together with what has changed among its pending flips since it last did. So whatever
//! was delivered, up to any moment, fits together: the paths that have ended, and what still has to be explored. Flips
//! that are found and tried in between are never mentioned.
//!
//! A path that is running, or waits, is pending too: as its input, and how many of its decisions have left their
//! alternatives behind.

use std::sync::Arc;

use secateur_machine::{End, Event as Step, Exclusions, State};
use secateur_path::ChoiceKey;
use secateur_program::{BranchId, LocId, Program};
use serde::{Deserialize, Serialize};

use crate::event::Subscriber;
use crate::flip::{Departure, Flip, FlipInfo};
use crate::limits::StopReason;
use crate::portable::{PortableFlip, pack, unpack};
use crate::running::{Counted, RunningPath};
use crate::tree::{Found, Point};
use crate::worker::Worker;

/// When this many flips were found since changes were last delivered, they are delivered: all at once they would take
/// much memory just when a run stops because memory is short.
const MOST_UNDELIVERED: u64 = 10_000;

/// Names something pending in the same way in every worker and every run: it stays the same when a flip is handed
/// over, and when it becomes a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PendingName(pub u64);

/// Something that has to be explored.
#[derive(Clone, Serialize, Deserialize)]
pub enum PendingItem {
    /// A flip that was not tried.
    Flip(PortableFlip),
    /// A path that has not ended.
    Path(PortablePath),
}

impl PendingItem {
    /// Its name.
    pub fn name(&self) -> PendingName {
        match self {
            PendingItem::Flip(flip) => PendingName::of(flip.key, flip.identity),
            PendingItem::Path(path) => path.name,
        }
    }
}

impl PendingItem {
    /// Whether all places in it are in this program: what comes from elsewhere may be about anything.
    pub fn fits(&self, program: &Program) -> bool {
        let has_loc = |loc: LocId| loc.index() < program.locations.len();
        match self {
            PendingItem::Path(path) => has_loc(path.departure.loc),
            PendingItem::Flip(PortableFlip { info, calls, .. }) => {
                let body = program.functions.get(info.function.index()).and_then(|function| function.body.as_ref());
                let has_side = |(branch, outcome): (BranchId, u32)| {
                    program.branches.get(branch.index()).is_some_and(|branch| outcome < branch.outcomes)
                };
                body.is_some_and(|body| (info.pc as usize) < body.code.len())
                    && has_loc(info.loc)
                    && info.branch.is_none_or(has_side)
                    && calls.iter().all(|call| call.fits(program))
            }
        }
    }
}

/// A path that has not ended. Its input and the excluded values are enough to rebuild its state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PortablePath {
    /// The flip that it has taken.
    pub name: PendingName,
    /// Its input.
    #[serde(with = "crate::names::bytes")]
    pub input: Arc<[u8]>,
    /// The values that were excluded on it, the newest first.
    pub exclusions: Vec<(u32, u64)>,
    /// How many of its decisions have left their alternatives behind: they are pending by themselves, or done.
    pub decisions: u32,
    /// Its number.
    pub number: u64,
    /// Where it branched off from another path.
    pub departure: Departure,
    /// How hard the questions were that led to it.
    pub cost: u32,
}

/// What has changed among the pending items of a worker.
#[derive(Default)]
pub struct PendingChange {
    /// What is done, or has become something else that was added.
    pub removed: Vec<PendingName>,
    /// What is new, or a path that has run further. It replaces what has the same name.
    pub added: Vec<PendingItem>,
}

/// What to continue with.
#[derive(Default)]
pub struct Continued {
    /// What is pending.
    pub items: Vec<PendingItem>,
    /// How many paths have started before.
    pub paths: u64,
}

/// What a worker has not delivered yet.
#[derive(Default)]
pub(crate) struct Changes {
    /// Whether anybody wants to know. It ends when the run stops: what follows only makes tests of what is pending.
    pub is_on: bool,
    /// The number of the next flip when changes were last delivered; those before it were delivered.
    delivered: u64,
    removed: Vec<PendingName>,
    /// Paths that wait, since changes were last delivered.
    waiting: Vec<PortablePath>,
}

impl Changes {
    /// Every flip with a smaller number was delivered, by whomever.
    pub(crate) fn delivered_up_to(&mut self, number: u64) {
        self.delivered = number;
    }
}

impl PortablePath {
    /// The first path of a program, which has not begun.
    pub fn first() -> PortablePath {
        PortablePath {
            name: PendingName::FIRST,
            input: Arc::from([]),
            exclusions: Vec::new(),
            decisions: 0,
            number: 1,
            departure: Departure::START,
            cost: 0,
        }
    }
}

impl PendingName {
    /// That of the first path.
    pub const FIRST: PendingName = PendingName(0);

    /// That of a flip. Excluding a value does not change the identity of a path, but each value is excluded once.
    pub(crate) fn of(key: ChoiceKey, identity: u64) -> PendingName {
        match key {
            ChoiceKey::OtherThan(value) => {
                let mixed = (identity ^ value.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                PendingName(mixed ^ mixed >> 29 ^ !identity)
            }
            _ => PendingName(identity),
        }
    }
}

impl Flip {
    pub(crate) fn name(&self) -> PendingName {
        PendingName::of(self.key, self.identity)
    }
}

/// A path that is running while changes are delivered, after this many decisions.
#[derive(Clone, Copy)]
pub(crate) struct StillRunning<'a> {
    pub path: &'a RunningPath,
    pub input: &'a Arc<[u8]>,
    pub exclusions: &'a Exclusions,
    pub decisions: usize,
}

impl StillRunning<'_> {
    fn portable(&self) -> PortablePath {
        PortablePath {
            name: self.path.name,
            input: Arc::clone(self.input),
            exclusions: pack(self.exclusions),
            decisions: self.decisions as u32,
            number: self.path.number,
            departure: self.path.departure,
            cost: self.path.cost,
        }
    }
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Something that was pending is done.
    pub(crate) fn is_done(&mut self, name: PendingName, flip: Option<u64>) {
        // What was found since changes were last delivered was never mentioned.
        let mentioned = flip.is_none_or(|flip| flip < self.changes.delivered);
        if self.changes.is_on && mentioned {
            self.changes.waiting.retain(|path| path.name != name);
            self.changes.removed.push(name);
        }
    }

    /// A path waits, or will never end in this run.
    pub(crate) fn waits(&mut self, path: StillRunning<'_>) {
        if self.changes.is_on {
            self.changes.waiting.push(path.portable());
        }
    }

    /// Delivers the events, and with them what has changed among the pending items, if anybody wants to know.
    pub(crate) fn deliver(&mut self, running: Option<StillRunning<'_>>) -> Result<(), S::Error> {
        if !self.changes.is_on {
            return self.reporter.flush(None);
        }
        let change = self.change(running);
        self.reporter.flush(Some((change, self.counted())))
    }

    /// Delivers for the last time, because the run is over or stops.
    pub(crate) fn deliver_last(&mut self) -> Result<(), S::Error> {
        self.deliver(None)?;
        self.changes.is_on = false;
        Ok(())
    }

    /// Delivers if that is due, or if much would have to be delivered at once later.
    pub(crate) fn deliver_if_due(&mut self, running: Option<StillRunning<'_>>) -> Result<(), S::Error> {
        let has_many = self.changes.is_on && self.frontier.next_id() - self.changes.delivered > MOST_UNDELIVERED;
        if has_many || self.reporter.is_due() { self.deliver(running) } else { Ok(()) }
    }

    fn change(&mut self, running: Option<StillRunning<'_>>) -> PendingChange {
        let removed = std::mem::take(&mut self.changes.removed);
        let mut added = Vec::new();
        for flip in self.frontier.since(self.changes.delivered) {
            added.push(PendingItem::Flip(PortableFlip::of(flip, &self.program_info)));
        }
        self.changes.delivered = self.frontier.next_id();
        let waiting = std::mem::take(&mut self.changes.waiting);
        let paths = waiting.into_iter().chain(running.map(|running| running.portable()));
        added.extend(paths.map(PendingItem::Path));
        PendingChange { removed, added }
    }

    /// Adds what is pending from an earlier run, whose subscriber knows it already.
    pub(crate) fn continue_with(&mut self, items: Vec<PendingItem>) {
        let mut flips = Vec::new();
        for item in items {
            match item {
                PendingItem::Flip(flip) => flips.push(flip),
                PendingItem::Path(path) => self.unfinished.push(path),
            }
        }
        self.unpack(flips);
        self.changes.delivered = self.frontier.next_id();
    }

    /// Continues a path of an earlier run; returns the limit that was hit, if any.
    pub(crate) fn continue_path(&mut self, item: PortablePath) -> Result<Option<StopReason>, S::Error> {
        let before = self.machine.coverage.newly_covered();
        let exclusions = unpack(&item.exclusions);
        let mut state = self.machine.start(item.input.to_vec());
        let mut counted = Counted::default();
        let reached = self.replaying(&exclusions, |worker| {
            worker.run_along(&mut state, item.decisions as usize, item.departure.depth as usize, &mut counted)
        });
        let end = match reached {
            Reached::Decisions => None,
            Reached::End(end) => Some(end),
            Reached::Lost => {
                self.counters.lost += 1;
                self.is_done(item.name, None);
                return Ok(self.team.watchdog.stop_reason());
            }
            Reached::Stopped => {
                self.unfinished.push(item);
                return Ok(self.team.watchdog.stop_reason());
            }
        };
        let at = self.program_info.position(&state);
        let (function, pc, departure) = (state.frame.function, state.frame.pc, item.departure);
        let side = (item.decisions > 0).then(|| {
            let point = Point { function, pc, stack: at.stack, ordinal: departure.depth };
            let taken = ChoiceKey::Elsewhere;
            self.tree.add_decision(None, Found { point, loc: departure.loc, found_by: departure.parent, taken })
        });
        let path = RunningPath::continued(&item, side, before, counted);
        match end {
            Some(end) => self.end_covered(&state, end, &path, None),
            None => self.follow(state, path),
        }
    }

    /// Runs a state along its path until it has made this many decisions. Those without alternatives are made by the
    /// machine itself, so it may come to the next decision with some, or to the end. What it has counted at its
    /// `departure` belongs to the path that it left.
    fn run_along(&mut self, state: &mut State, decisions: usize, departure: usize, counted: &mut Counted) -> Reached {
        while state.path.len() < decisions {
            match self.run(state) {
                Step::End(_) if state.path.len() < decisions => return Reached::Lost,
                Step::End(end) => return Reached::End(end),
                _ if self.must_abandon_replay() => return Reached::Stopped,
                Step::Pause => self.sleep_if_halted(),
                // Its alternatives are not behind the path yet: it is made again when the path goes on.
                Step::Decision(_) if state.path.len() >= decisions => return Reached::Decisions,
                Step::Decision(decision) => {
                    if state.path.len() == departure && departure > 0 {
                        *counted = Counted::of(state);
                    }
                    self.machine.take(state, &decision.chosen);
                }
            }
        }
        Reached::Decisions
    }
}

/// How far a path of an earlier run was rebuilt.
enum Reached {
    /// To where it was.
    Decisions,
    /// To its end, which was near.
    End(End),
    /// It ended before. This is an internal error.
    Lost,
    /// The run was over before.
    Stopped,
}

/// What is known about a flip, without what only its worker can use.
pub(crate) fn without_stack(info: &FlipInfo) -> FlipInfo {
    FlipInfo { stack: Default::default(), ..info.clone() }
}
