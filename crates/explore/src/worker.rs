//! The loop of one worker: follow an input and keep the flips on its way; pick a flip, solve it, follow the new input.

use std::sync::Arc;

use secateur_expr::Expr;
use secateur_machine::{Machine, State};
use secateur_solver::Solver;

use crate::counters::Counters;
use crate::event::{ClosedFlip, Subscriber};
use crate::flip::{Flip, FlipEnd, FlipInfo};
use crate::frontier::Frontier;
use crate::limits::StopReason;
use crate::phase::Phase;
use crate::portable::PortableFlip;
use crate::prune::Pruner;
use crate::relief::Relief;
use crate::reporter::Reporter;
use crate::running::Running;
use crate::search::{FlipId, FlipResult, Searcher};
use crate::subsumption::Subsumption;
use crate::team::Team;
use crate::tree::{Closed, Incomplete, PathTree, SideId};
use crate::view::{Map, View};

/// How many instructions run before the limits are looked at again.
pub(crate) const SLICE: u64 = 1 << 18;

/// How many pending flips become tests once there are enough paths. They are counted rather than timed, so that a run that is limited to a number of
/// paths gives the same files every time.
const GRACE_FLIPS: usize = 100;

/// How many instructions may be executed meanwhile.
const GRACE_INSTRUCTIONS: u64 = 10_000_000;

/// What came of one worker: the limit that it hit, if any, and what it did.
pub(crate) type Work<E> = Result<(Option<StopReason>, Counters), E>;

/// Explores paths of a program: all of them, or those that follow from the flips that other workers hand over.
pub(crate) struct Worker<'a, 'b, S: Subscriber> {
    pub machine: &'a mut Machine,
    pub solver: &'a mut Solver,
    pub team: &'a Team,
    pub reporter: Reporter<'a, 'b, S>,
    pub frontier: Frontier,
    pub tree: PathTree,
    pub subsumption: Option<Box<dyn Subsumption>>,
    pub map: Map,
    pub counters: Counters,
    pub phase: Phase,
    pub relief: Relief,
    /// The state before the first decision of all, from which every flip can be rebuilt; kept along with the snapshots.
    pub trunk: Option<Box<State>>,
    /// What was made of the flips that were handed over last.
    pub effort: Effort,
    /// The most input bytes that any path has read.
    pub longest_input: u32,
}

/// What a worker has executed since it got flips from another.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effort {
    /// How many instructions it had executed then.
    start: u64,
    /// How many it executed since then only to get to decisions that others had found.
    pub rerun: u64,
}

impl Effort {
    /// It was not more work to get there than to go on from there.
    fn is_worthwhile(self, instructions: u64) -> bool {
        instructions - self.start >= 2 * self.rerun
    }
}

impl<'a, 'b, S: Subscriber> Worker<'a, 'b, S> {
    /// A worker that has not started.
    pub(crate) fn new(
        machine: &'a mut Machine,
        solver: &'a mut Solver,
        searcher: Box<dyn Searcher>,
        pruners: Vec<Box<dyn Pruner>>,
        team: &'a Team,
        reporter: Reporter<'a, 'b, S>,
    ) -> Worker<'a, 'b, S> {
        solver.stop_after(team.watch.patience());
        machine.halt = team.watch.halt();
        let subsumption = team.subsumption.map(|make| make(&machine.program));
        let mut tree = PathTree::default();
        if subsumption.is_some() {
            tree.subscribe();
        }
        Worker {
            subsumption,
            map: Map::new(Arc::clone(&machine.program), machine.options().clone()),
            machine,
            solver,
            team,
            reporter,
            frontier: Frontier::new(searcher, pruners),
            tree,
            counters: Counters::default(),
            phase: Phase::Search,
            relief: Relief::default(),
            trunk: None,
            effort: Effort::default(),
            longest_input: 0,
        }
    }

    /// Starts with an input and goes on until nothing is pending or a limit is hit.
    pub(crate) fn start(mut self, input: Vec<u8>) -> Work<S::Error> {
        // The first block is covered as soon as the state exists.
        let covered = self.machine.coverage.newly_covered();
        let state = self.machine.start(input);
        let number = self.team.watch.start_path(false).unwrap_or(1);
        let reason = self.follow(state, Running::first(number, covered))?;
        self.work(reason)
    }

    /// Starts with flips that another worker has found.
    pub(crate) fn join(mut self, flips: Vec<PortableFlip>) -> Work<S::Error> {
        self.unpack(flips);
        self.work(None)
    }

    fn work(mut self, mut reason: Option<StopReason>) -> Work<S::Error> {
        while reason.is_none() && (!self.frontier.is_empty() || self.fetch()) {
            reason = self.relieve_between_paths();
            if reason.is_some() {
                break;
            }
            if let Some(input) = self.frontier.searcher.fresh_input(self.longest_input) {
                reason = self.run_fresh(input)?;
                continue;
            }
            self.share();
            let mut view = View { coverage: &self.machine.coverage, map: &mut self.map, tree: &self.tree };
            let Some(id) = self.frontier.pick(&mut view) else { break };
            reason = self.try_flip(id)?;
            self.report_progress()?;
        }
        let not_fetched = self.team.exchange.close();
        self.unpack(not_fetched);
        self.counters.left = self.frontier.len() as u64 + self.counters.stopped;
        if let Some(reason) = reason {
            self.use_up_pending(reason)?;
        }
        for (_, flip) in self.frontier.iter() {
            let (origin, branch) = (self.tree.origin(flip.side), flip.info.branch);
            self.reporter.flip_closed(ClosedFlip { origin, branch, end: FlipEnd::Pending })?;
        }
        self.reporter.flush()?;
        let counters = self.counted();
        if self.team.leave_memory {
            std::mem::forget((self.frontier, self.tree));
        }
        Ok((reason, counters))
    }

    /// Tries a flip, unless a pruner takes it out; returns the limit that was hit, if any.
    fn try_flip(&mut self, id: FlipId) -> Result<Option<StopReason>, S::Error> {
        let mut view = View { coverage: &self.machine.coverage, map: &mut self.map, tree: &self.tree };
        if let Some(pruned) = self.frontier.prune_pending(id, &mut view) {
            self.counters.count_pruned(pruned);
            if let Some(flip) = self.frontier.take(id) {
                self.close_flip(Some(id), &flip.info, flip.side, pruned.closed(), &[])?;
            }
            return Ok(None);
        }
        match self.attempt(id)? {
            Some((state, running)) => self.follow(state, running),
            None => Ok(self.team.watch.stop()),
        }
    }

    /// A flip does not become a path. The searcher is told if it knows the flip, which has a number then.
    pub(crate) fn close_flip(
        &mut self,
        id: Option<FlipId>,
        info: &FlipInfo,
        side: SideId,
        how: Closed,
        core: &[Expr],
    ) -> Result<(), S::Error> {
        let (end, result) = match how {
            Closed::Infeasible => (FlipEnd::Infeasible, FlipResult::Infeasible),
            Closed::Pruned(by) | Closed::Incomplete(Incomplete::Pruned(by)) => {
                (FlipEnd::Pruned(by), FlipResult::Pruned)
            }
            Closed::Incomplete(Incomplete::Lost) => (FlipEnd::Lost, FlipResult::Unanswered),
            // Nothing else closes a flip of which no path has started.
            Closed::Incomplete(_) | Closed::Ended | Closed::Explored => (FlipEnd::Unknown, FlipResult::Unanswered),
        };
        self.reporter.flip_closed(ClosedFlip { origin: self.tree.origin(side), branch: info.branch, end })?;
        self.tree.close(side, how, core);
        self.update_subsumption();
        if id.is_some() {
            self.frontier.searcher.tried(id, result);
        }
        Ok(())
    }

    /// A limit was hit: what is pending still becomes tests where that is quick, first of all where it covers something new.
    fn use_up_pending(&mut self, reason: StopReason) -> Result<(), S::Error> {
        let mut most = usize::MAX;
        let mut last_instruction = u64::MAX;
        if reason == StopReason::Paths {
            most = if self.team.watch.has_grace() { GRACE_FLIPS } else { 0 };
            last_instruction = self.machine.instructions + GRACE_INSTRUCTIONS;
        } else {
            self.solver.stop_after(self.team.watch.grace());
        }
        self.phase = Phase::Grace { last_instruction };
        let coverage = &self.machine.coverage;
        let is_covered = |flip: &Flip| match flip.info.branch {
            Some((branch, outcome)) => coverage.taken(branch, outcome),
            None => flip.info.bug.is_none(),
        };
        let mut ids: Vec<(bool, FlipId)> = self.frontier.iter().map(|(id, flip)| (is_covered(flip), id)).collect();
        ids.sort();
        for (_, id) in ids.into_iter().take(most) {
            if self.is_over() {
                break;
            }
            if let Some((state, running)) = self.attempt(id)? {
                self.follow(state, running)?;
            }
        }
        Ok(())
    }

    /// A path under way must stop: a limit is hit, or the time of grace is over.
    pub(crate) fn is_over(&self) -> bool {
        match self.phase {
            Phase::Search => self.team.watch.stop_at_once().is_some(),
            Phase::Grace { last_instruction } => {
                self.machine.instructions >= last_instruction || self.team.watch.is_grace_over()
            }
        }
    }

    /// Reports how far the run is, if it is time to.
    pub(crate) fn report_progress(&mut self) -> Result<(), S::Error> {
        let Worker { reporter, machine, counters, frontier, solver, tree, .. } = self;
        reporter.progress(machine, || snapshot_of(counters, frontier, solver, tree))
    }

    fn counted(&self) -> Counters {
        snapshot_of(&self.counters, &self.frontier, self.solver, &self.tree)
    }

    /// Hands over some flips if another worker has none left and this one has enough.
    pub(crate) fn share(&mut self) {
        let team = self.team;
        if team.exchange.wants_flips(self.frontier.len()) {
            team.exchange.give(&mut || {
                let flips = self.frontier.hand_over(&mut self.tree);
                flips.into_iter().map(|flip| PortableFlip::new(flip, &self.map)).collect()
            });
        }
    }

    /// Waits for flips of other workers; false if everything is done.
    fn fetch(&mut self) -> bool {
        let flips = self.team.exchange.fetch(self.effort.is_worthwhile(self.machine.instructions));
        self.effort = Effort { start: self.machine.instructions, rerun: 0 };
        let some = flips.is_some();
        self.unpack(flips.unwrap_or_default());
        some
    }

    /// Adds flips of other workers. Their paths have ended, as far as this one is concerned.
    fn unpack(&mut self, flips: Vec<PortableFlip>) {
        let mut paths: Vec<u64> = flips.iter().map(|flip| flip.info.path).collect();
        for flip in flips {
            let flip = flip.unpack(&mut self.map, &mut self.tree);
            self.frontier.add(flip, &mut self.tree);
        }
        paths.dedup();
        for path in paths {
            self.frontier.searcher.tried(None, FlipResult::Ran { path, newly_covered: 0 });
        }
    }
}

/// What a worker did so far.
fn snapshot_of(counters: &Counters, frontier: &Frontier, solver: &Solver, tree: &PathTree) -> Counters {
    Counters {
        pending: frontier.len() as u64,
        snapshots: frontier.snapshots(),
        solver_time: solver.statistics().time(),
        tree_nodes: tree.peak() as u64,
        ..counters.clone()
    }
}
