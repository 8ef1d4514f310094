//! The default order, which chooses for itself; docs/search.md has the figures.
//!
//! While some of the user's code is uncovered, several strategies take turns, and share the work by what they find
//! ([`Shares`]). Chains of flips at one place are followed to their end ([`Chains`]), as long as that takes only a part
//! of the work. Places whose flips are expensive and cover nothing new wait ([`Places`]). One turn in some goes to the
//! oldest flip. Once everything is covered, the order no longer matters for coverage, and depth first costs least.

use std::collections::BTreeMap;

use super::chains::Chains;
use super::depth_first::DepthFirst;
use super::places::{PlaceId, Places};
use super::shares::Shares;
use super::{FlipId, FlipResult, Searcher, unfair_by_name};
use crate::flip::{FlipInfo, FlipPoint};
use crate::tuning::Tuning;
use crate::view::View;

/// The strategies that share the work.
const STRATEGIES: &[&str] = &["frontier", "icnt", "covnew", "md2u", "cpicnt", "random-path"];

/// Guided while anything is uncovered, depth first afterwards.
pub(super) struct Combined {
    /// `None` once everything is covered.
    guided: Option<Guided>,
    /// It may return flips that are no longer pending; they are skipped.
    depth_first: DepthFirst,
    /// How much was covered when the branch outcomes were last counted.
    covered: u64,
}

struct Guided {
    strategies: Vec<Box<dyn Searcher>>,
    shares: Shares,
    places: Places,
    chains: Chains,
    /// The work that chains may take in any case, and the part of all that they may take besides.
    chain_work: u64,
    chain_part: u64,
    /// The work for chains since one covered something new.
    chain_spent: u64,
    /// All the work so far.
    spent: u64,
    /// The flips that are neither tried nor waiting.
    pending: BTreeMap<FlipId, Known>,
    /// The flip that is being tried.
    trying: Option<Trying>,
    /// What was spent since the last flip was tried.
    work: u64,
    turn: u32,
    /// One turn in this many goes to the oldest flip.
    turns: u32,
    /// How often a strategy may choose a flip in vain, before another one has its turn.
    attempts: u32,
}

/// What is known of a flip. The point is needed for chains only.
#[derive(Clone, Copy)]
struct Known {
    place: PlaceId,
    point: FlipPoint,
    depth: u32,
}

struct Trying {
    id: FlipId,
    place: PlaceId,
    chooser: Chooser,
}

/// Why a flip is tried.
#[derive(Clone, Copy)]
enum Chooser {
    Strategy(usize),
    /// It is the next of a chain.
    Chain,
    /// It has waited, or it is the oldest.
    Turn,
}

impl Combined {
    pub(super) fn new(tuning: &Tuning, seed: u64) -> Combined {
        Combined { guided: Some(Guided::new(tuning, seed)), depth_first: DepthFirst::default(), covered: 0 }
    }
}

impl Guided {
    fn new(tuning: &Tuning, seed: u64) -> Guided {
        let strategies: Vec<_> = STRATEGIES.iter().filter_map(|name| unfair_by_name(name, seed, tuning)).collect();
        Guided {
            shares: Shares::new(strategies.len(), tuning),
            places: Places::new(tuning.expensive_work, tuning.longest_wait),
            chains: Chains::new(tuning.longest_chain, tuning.chain_attempts),
            chain_work: tuning.chain_work,
            chain_part: tuning.chain_part,
            chain_spent: 0,
            spent: 0,
            strategies,
            pending: BTreeMap::new(),
            trying: None,
            work: 0,
            turn: 0,
            turns: tuning.fair_turn,
            attempts: tuning.strategy_attempts,
        }
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        if self.chain_spent <= self.chain_work.saturating_add(self.spent / self.chain_part)
            && let Some(id) = self.follow_chain()
        {
            return Some(id);
        }
        if let Some((id, place)) = self.places.next() {
            self.trying = Some(Trying { id, place, chooser: Chooser::Turn });
            return Some(id);
        }
        self.turn = (self.turn + 1) % self.turns;
        if self.turn == 0
            && let Some((id, known)) = self.pending.pop_first()
        {
            return Some(self.choose(id, known, Chooser::Turn));
        }
        for _ in 0..self.strategies.len() {
            let strategy = self.shares.next();
            if let Some((id, known)) = self.ask(strategy, view) {
                return Some(self.choose(id, known, Chooser::Strategy(strategy)));
            }
            self.shares.pass(strategy);
        }
        // Strategies that choose at random may have missed some.
        if let Some((id, known)) = self.pending.pop_first() {
            return Some(self.choose(id, known, Chooser::Turn));
        }
        let (id, place) = self.places.first()?;
        self.trying = Some(Trying { id, place, chooser: Chooser::Turn });
        Some(id)
    }

    /// A flip that a strategy chooses, and that need not wait.
    fn ask(&mut self, strategy: usize, view: &mut View<'_>) -> Option<(FlipId, Known)> {
        let mut attempts = 0;
        while attempts < self.attempts {
            let id = self.strategies[strategy].next(view)?;
            // Others have chosen it before, or it waits.
            let Some(known) = self.pending.remove(&id) else {
                attempts += u32::from(!self.forgets(strategy));
                continue;
            };
            if !self.places.is_paused(known.place) {
                return Some((id, known));
            }
            self.places.defer(id, known.place);
        }
        None
    }

    /// The next flip of a chain that is pending and need not wait.
    fn follow_chain(&mut self) -> Option<FlipId> {
        while let Some(link) = self.chains.next() {
            if let Some(known) = self.pending.get(&link.id).copied()
                && !self.places.is_paused(known.place)
            {
                self.pending.remove(&link.id);
                self.chains.follow(link);
                self.trying = Some(Trying { id: link.id, place: known.place, chooser: Chooser::Chain });
                return Some(link.id);
            }
        }
        None
    }

    /// Whether a strategy returns each flip only once. A walk through the path tree does not.
    fn forgets(&self, strategy: usize) -> bool {
        STRATEGIES[strategy] != "random-path"
    }

    fn choose(&mut self, id: FlipId, known: Known, chooser: Chooser) -> FlipId {
        self.chains.choose(id, known.point, known.depth);
        self.trying = Some(Trying { id, place: known.place, chooser });
        id
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        for strategy in &mut self.strategies {
            strategy.tried(id, result);
        }
        let work = std::mem::take(&mut self.work);
        self.spent = self.spent.saturating_add(work);
        let Some(id) = id else { return };
        self.pending.remove(&id);
        let Some(trying) = self.trying.take_if(|trying| trying.id == id) else { return };
        let newly_covered = match result {
            FlipResult::Ran { newly_covered, .. } => newly_covered,
            _ => 0,
        };
        self.places.tried(trying.place, newly_covered, work);
        match trying.chooser {
            Chooser::Strategy(strategy) => self.shares.record(strategy, newly_covered, work),
            Chooser::Chain if newly_covered > 0 => self.chain_spent = 0,
            Chooser::Chain => self.chain_spent = self.chain_spent.saturating_add(work),
            Chooser::Turn => {}
        }
        self.chains.tried(id, newly_covered);
    }
}

impl Searcher for Combined {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.depth_first.add(id, info);
        let Some(guided) = &mut self.guided else { return };
        let place = guided.places.of(info);
        guided.pending.insert(id, Known { place, point: info.point(), depth: info.depth });
        guided.chains.found(id, info);
        guided.strategies.iter_mut().for_each(|strategy| strategy.add(id, info));
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        let covered = view.coverage.total_newly_covered();
        if self.guided.is_some() && self.covered != covered {
            self.covered = covered;
            let (taken, all) = view.coverage.user_outcomes(view.program());
            if taken == all {
                self.guided = None;
            }
        }
        match &mut self.guided {
            Some(guided) => guided.next(view),
            None => self.depth_first.next(view),
        }
    }

    fn spent(&mut self, work: u64) {
        if let Some(guided) = &mut self.guided {
            guided.work = guided.work.saturating_add(work);
        }
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        if let Some(guided) = &mut self.guided {
            guided.tried(id, result);
        }
    }
}
