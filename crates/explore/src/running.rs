//! A running path: where it branched off, how far it has run, and what its flips inherit.

use secateur_machine::State;

use crate::flip::{Departure, FlipInfo};
use crate::pending::{PendingName, PortablePath};
use crate::search::FlipId;
use crate::selection::Mark;
use crate::tree::SideId;

/// A running path.
#[derive(Clone, Copy, Debug)]
pub struct RunningPath {
    /// Its number. Paths are numbered from 1 in the order in which they start.
    pub(crate) number: u64,
    /// Where it branched off from another path.
    pub(crate) departure: Departure,
    /// The flip that it takes; `None` for the path of the first input, and for one that has waited.
    pub(crate) flip: Option<FlipId>,
    /// What names it as long as it is pending.
    pub(crate) name: PendingName,
    /// The side of the path tree that it explores; `None` before its first decision.
    pub(crate) side: Option<SideId>,
    /// How hard the questions were that led here, counted in calls of the SMT library: time would differ from run to
    /// run.
    pub cost: u32,
    /// What the selection knows of it, if there is one.
    pub(crate) mark: Mark,
    /// How much was covered before the path started.
    covered_before: u64,
    /// How much was covered when this was last updated.
    covered: u64,
    /// How many instructions the path had executed when it last covered something new.
    last_new: u64,
    /// What its state had counted when it started, which belongs to the parent path.
    counted: Counted,
}

/// Alternatives that a path skipped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    refuted: u32,
    ignored: u32,
}

impl Counted {
    pub(crate) fn of(state: &State) -> Counted {
        Counted { refuted: state.refuted, ignored: state.ignored }
    }
}

/// The flip that a new path takes.
pub(crate) struct FlipTaken<'a> {
    pub number: u64,
    pub departure: Departure,
    pub flip: FlipId,
    pub name: PendingName,
    pub side: SideId,
    pub info: &'a FlipInfo,
    /// How often the SMT library was called to find its input.
    pub calls: u64,
}

impl RunningPath {
    /// The path of the first input. `covered` is how much is covered already.
    pub(crate) fn first(number: u64, covered: u64) -> RunningPath {
        RunningPath {
            number,
            departure: Departure::START,
            flip: None,
            name: PendingName::FIRST,
            side: None,
            cost: 0,
            mark: Mark::START,
            covered_before: covered,
            covered,
            last_new: 0,
            counted: Counted::default(),
        }
    }

    /// The path of a flip that starts in this state.
    pub(crate) fn new(start: &FlipTaken<'_>, state: &State, covered: u64) -> RunningPath {
        let info = start.info;
        RunningPath {
            number: start.number,
            departure: start.departure,
            flip: Some(start.flip),
            name: start.name,
            side: Some(start.side),
            cost: info.cost.saturating_add(start.calls.min(u64::from(u32::MAX)) as u32),
            mark: info.mark,
            covered_before: covered,
            covered,
            last_new: info.instructions.saturating_sub(info.since_new),
            counted: Counted::of(state),
        }
    }

    /// A path of an earlier run that has not ended there. `covered_before` is how much was covered before it was
    /// rebuilt.
    pub(crate) fn continued(
        item: &PortablePath,
        side: Option<SideId>,
        covered_before: u64,
        counted: Counted,
    ) -> RunningPath {
        RunningPath {
            number: item.number,
            departure: item.departure,
            flip: None,
            name: item.name,
            side,
            cost: item.cost,
            mark: Mark::UNKNOWN,
            covered_before,
            covered: covered_before,
            last_new: 0,
            counted,
        }
    }

    /// As if everything on it were new: its input was the first to cover something when it was run before.
    pub(crate) fn promising_if(self, covers_new: bool) -> RunningPath {
        RunningPath { last_new: if covers_new { u64::MAX } else { self.last_new }, ..self }
    }

    /// Updates what the path has executed and how much is covered.
    pub(crate) fn has_reached(&mut self, instructions: u64, covered: u64) {
        if covered > self.covered {
            self.covered = covered;
            self.last_new = instructions;
        }
    }

    /// How many instructions ago the path last covered something new.
    pub(crate) fn since_new(&self, instructions: u64) -> u64 {
        instructions.saturating_sub(self.last_new)
    }

    /// How much the path was the first to cover, given how much is covered now.
    pub(crate) fn newly_covered(&self, covered: u64) -> u64 {
        covered - self.covered_before
    }

    /// How many alternatives the path skipped because it refutes them, and because they fail a disabled check.
    pub(crate) fn left_out(&self, state: &State) -> (u64, u64) {
        // A state that was rebuilt has counted less if refuted sides were reported meanwhile.
        let since = |all: u32, before: u32| u64::from(all.saturating_sub(before));
        (since(state.refuted, self.counted.refuted), since(state.ignored, self.counted.ignored))
    }
}
