//! A path under way: where it comes from, how far it is, and what its flips inherit.

use secateur_machine::State;

use crate::flip::{Departure, FlipInfo};
use crate::search::FlipId;
use crate::tree::SideId;

/// A path under way.
#[derive(Clone, Copy, Debug)]
pub struct Running {
    /// Numbers the paths of a run from 1, in the order in which they start.
    pub(crate) number: u64,
    /// Where it left another path.
    pub(crate) origin: Departure,
    /// The flip that it took; `None` for the path of the first input.
    pub(crate) flip: Option<FlipId>,
    /// The side of the path tree along which it runs; `None` before its first decision.
    pub(crate) side: Option<SideId>,
    /// How hard the questions were whose answers led here. It is counted in calls of the SMT library, not in time, so that it is the same in every run.
    pub cost: u32,
    /// What was covered before the path.
    covered_before: u64,
    /// What was covered when this was last looked at.
    covered: u64,
    /// How many instructions the path had executed when it covered something new for the last time.
    last_new: u64,
    /// What its state had counted when it started: that belongs to the path which it left.
    counted: Counted,
}

/// Alternatives that a path left out.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    refuted: u64,
    ignored: u64,
}

/// How a path is related to the one that it left.
pub(crate) struct FlipTaken<'a> {
    pub number: u64,
    pub origin: Departure,
    pub flip: FlipId,
    pub side: SideId,
    pub info: &'a FlipInfo,
    /// How often the SMT library was called to find its input.
    pub calls: u64,
}

impl Running {
    /// The path of the first input; `covered` is what is covered already.
    pub(crate) fn first(number: u64, covered: u64) -> Running {
        Running {
            number,
            origin: Departure::START,
            flip: None,
            side: None,
            cost: 0,
            covered_before: covered,
            covered,
            last_new: 0,
            counted: Counted::default(),
        }
    }

    /// The path of a flip, which starts in this state.
    pub(crate) fn new(start: &FlipTaken<'_>, state: &State, covered: u64) -> Running {
        let info = start.info;
        Running {
            number: start.number,
            origin: start.origin,
            flip: Some(start.flip),
            side: Some(start.side),
            cost: info.cost.saturating_add(start.calls.min(u64::from(u32::MAX)) as u32),
            covered_before: covered,
            covered,
            last_new: info.instructions.saturating_sub(info.since_new),
            counted: Counted { refuted: state.refuted, ignored: state.ignored },
        }
    }

    /// The path is at this instruction, and so much is covered.
    pub(crate) fn has_reached(&mut self, instructions: u64, covered: u64) {
        if covered > self.covered {
            self.covered = covered;
            self.last_new = instructions;
        }
    }

    /// How many instructions ago the path covered something new.
    pub(crate) fn since_new(&self, instructions: u64) -> u64 {
        instructions.saturating_sub(self.last_new)
    }

    /// How much the path was the first to cover, if so much is covered now.
    pub(crate) fn newly_covered(&self, covered: u64) -> u64 {
        covered - self.covered_before
    }

    /// How many alternatives the path left out because it refutes them, and because the check that they fail is switched off.
    pub(crate) fn left_out(&self, state: &State) -> (u64, u64) {
        (state.refuted - self.counted.refuted, state.ignored - self.counted.ignored)
    }
}
