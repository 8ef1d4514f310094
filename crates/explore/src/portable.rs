//! A flip without anything that belongs to one worker, so that it can be sent to another thread, to a disk or to
//! another machine.

use std::sync::Arc;

use secateur_machine::Exclusions;
use secateur_path::ChoiceKey;
use serde::{Deserialize, Serialize};

use crate::flip::{Flip, FlipInfo};
use crate::loan::Loan;
use crate::pending::without_stack;
use crate::selection::Mark;
use crate::tree::{Found, PathTree, Point};
use crate::view::ProgramInfo;
use secateur_graph::Call;

/// A flip that is sent from one worker to another. No expression and no state goes with it.
#[derive(Clone, Serialize, Deserialize)]
pub struct PortableFlip {
    /// An input whose path makes the decision.
    #[serde(with = "crate::names::bytes")]
    pub input: Arc<[u8]>,
    /// Which of the alternatives it is.
    pub key: ChoiceKey,
    /// The identity of the path once it has taken it.
    pub identity: u64,
    /// The values that were excluded on the path, the newest first.
    pub exclusions: Vec<(u32, u64)>,
    /// What is known about it. Its stack id is only valid for the worker that found it.
    pub info: FlipInfo,
    /// The calls that are active, the outermost first.
    pub calls: Vec<Call>,
    /// Where to report what became of it, if another worker of this process wants to know.
    #[serde(skip)]
    pub loan: Option<Loan>,
}

impl PortableFlip {
    /// Takes the portable part of a flip.
    pub(crate) fn new(flip: Flip, loan: Option<Loan>, program_info: &ProgramInfo) -> PortableFlip {
        let calls = program_info.calls(flip.info.stack);
        let exclusions = pack(&flip.exclusions);
        let Flip { input, key, identity, info, .. } = flip;
        PortableFlip { input, key, identity, exclusions, info, calls, loan }
    }

    /// A copy of the portable part of a flip.
    pub(crate) fn of(flip: &Flip, program_info: &ProgramInfo) -> PortableFlip {
        PortableFlip {
            input: Arc::clone(&flip.input),
            key: flip.key,
            identity: flip.identity,
            exclusions: pack(&flip.exclusions),
            info: without_stack(&flip.info),
            calls: program_info.calls(flip.info.stack),
            loan: None,
        }
    }

    /// The flip as one of another worker, where it is a root of the path tree.
    pub(crate) fn unpack(self, program_info: &mut ProgramInfo, tree: &mut PathTree) -> Flip {
        let exclusions = unpack(&self.exclusions);
        let info = FlipInfo { stack: program_info.stack(&self.calls), mark: Mark::UNKNOWN, ..self.info };
        let FlipInfo { function, pc, stack, depth: ordinal, loc, path: found_by, .. } = info;
        let point = Point { function, pc, stack, ordinal };
        let side = tree.add_decision(None, Found { point, loc, found_by, taken: self.key });
        Flip { input: self.input, key: self.key, identity: self.identity, exclusions, info, side, snapshot: None }
    }
}

/// Excluded values without anything that belongs to one worker, the newest first.
pub(crate) fn pack(exclusions: &Exclusions) -> Vec<(u32, u64)> {
    exclusions.iter().copied().collect()
}

/// The excluded values that were packed.
pub(crate) fn unpack(packed: &[(u32, u64)]) -> Exclusions {
    let mut exclusions = Exclusions::default();
    packed.iter().rev().for_each(|exclusion| exclusions.push(*exclusion));
    exclusions
}
