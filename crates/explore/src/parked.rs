//! The path tree of a round that a later round goes on with.

use secateur_machine::State;

use crate::counters::Counters;
use crate::frontier::Frontier;
use crate::length::Length;
use crate::portable::PortableFlip;
use crate::tree::PathTree;
use crate::view::ProgramInfo;

/// What is left of a worker between two rounds of the same tree.
pub(crate) struct Parked {
    pub frontier: Frontier,
    pub tree: PathTree,
    pub program_info: ProgramInfo,
    pub first_decision: Option<Box<State>>,
    pub longest_input: u32,
    pub length: Length,
    /// The name of the order in which its flips are tried.
    pub order: String,
    /// Pending flips of the other workers.
    pub others: Vec<PortableFlip>,
    /// The counters of the rounds with this tree.
    pub counters: Counters,
}

impl Parked {
    /// How many flips are pending.
    pub(crate) fn pending(&self) -> u64 {
        (self.frontier.len() + self.others.len()) as u64
    }

    /// Memory is short, or all expressions are forgotten: any snapshot can be rebuilt.
    pub(crate) fn drop_snapshots(&mut self) {
        self.frontier.drop_all_snapshots();
        self.first_decision = None;
    }
}
