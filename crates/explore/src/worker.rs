//! The loop of one worker: follow an input and keep the flips on its way; pick a flip, solve it, follow the new input.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use secateur_expr::Expr;
use secateur_machine::{CoverageMap, Machine, State};
use secateur_solver::Solver;

use crate::counters::Counters;
use crate::event::{ClosedFlip, Subscriber};
use crate::exchange::Fetched;
use crate::flip::{Flip, FlipEnd};
use crate::frontier::{Frontier, Pruned};
use crate::inputs::{Input, Inputs, SeenInput};
use crate::length::Length;
use crate::limits::StopReason;
use crate::loan::Loans;
use crate::parked::Parked;
use crate::pending::{Changes, Continued, PortablePath};
use crate::phase::Phase;
use crate::portable::PortableFlip;
use crate::postponed::Attempt;
use crate::prune::Pruner;
use crate::reclaim::Reclaim;
use crate::reporter::Reporter;
use crate::rounds::RoundLength;
use crate::running::RunningPath;
use crate::search::{FlipId, FlipResult, Searcher};
use crate::selection::Selection;
use crate::subsumption::Subsumption;
use crate::suspended::{ResumedPaths, Suspended};
use crate::team::Team;
use crate::tree::{Closed, Incomplete, PathTree, SideId, Status};
use crate::tuning::Tuning;
use crate::view::{ProgramInfo, View};

/// The result of one worker, and the tree that a later round goes on with, if there is one.
pub(crate) type Work<E> = Result<(WorkEnd, Option<Parked>), E>;

/// How the work of one worker ended.
pub(crate) struct WorkEnd {
    /// The limit that it hit, if any.
    pub reason: Option<StopReason>,
    pub counters: Counters,
    /// The pending flips of a worker other than the first, if a later round goes on with the tree.
    pub left: Vec<PortableFlip>,
}

/// Explores paths of a program: all of them, or those that start at flips of other workers.
pub(crate) struct Worker<'a, 'b, S: Subscriber> {
    pub machine: &'a mut Machine,
    pub solver: &'a mut Solver,
    pub team: &'a Team,
    pub reporter: Reporter<'a, 'b, S>,
    pub frontier: Frontier,
    pub tree: PathTree,
    pub subsumption: Option<Box<dyn Subsumption>>,
    pub selection: Option<Box<dyn Selection>>,
    /// The work that was done for flips that the selection dropped.
    pub work_on_dropped: u64,
    /// The tree of other rounds, while this round has another one.
    pub parked: Option<Parked>,
    /// The paths that wait, by the side along which they run.
    pub suspended: BTreeMap<SideId, Suspended>,
    pub resumed: ResumedPaths,
    pub program_info: ProgramInfo,
    pub counters: Counters,
    pub phase: Phase,
    pub reclaim: Reclaim,
    /// The state before the first decision. Every flip can be rebuilt from it; it is kept as long as snapshots are.
    pub first_decision: Option<Box<State>>,
    /// Flips that are explored by other workers, and those of others that are explored here.
    pub loans: Loans,
    /// Its number among the workers.
    pub index: usize,
    /// What it costs to work on the flips that were fetched last.
    pub replay_cost: ReplayCost,
    /// The most input bytes that any path has read.
    pub longest_input: u32,
    /// The work that the searcher was told of.
    spent: u64,
    /// How long inputs may become for now.
    pub length: Length,
    /// Which of the inputs from outside are next.
    pub turn: InputTurn,
    /// Those that were run and are to be followed.
    pub seen_inputs: VecDeque<SeenInput>,
    /// What it has not delivered of what is pending.
    pub changes: Changes,
    /// Paths of an earlier run that have not ended.
    pub unfinished: Vec<PortablePath>,
    /// What runs have covered that lead to known paths, which does not count.
    pub known_coverage: Option<CoverageMap>,
}

/// How large a part of a round its grace period is, where paths are counted. This is a constant because it is that of
/// [`RoundLength::grace`] as well.
pub(crate) const GRACE_PART: u64 = 10;

/// How a worker gets inputs from outside.
#[derive(Clone, Copy)]
pub(crate) enum InputTurn {
    /// It asks the source.
    First,
    /// It follows what the first worker has got, from this number on.
    Other(usize),
}

/// What a worker has executed since it fetched flips from another one.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReplayCost {
    /// How many instructions it had executed by then.
    before: u64,
    /// How many of those executed since then only led to decisions that others had found.
    pub replayed: u64,
}

impl ReplayCost {
    /// Whether exploring from the flips took at least as much work as getting to them.
    pub(crate) fn is_worthwhile(self, instructions: u64) -> bool {
        instructions - self.before >= 2 * self.replayed
    }
}

impl<'a, 'b, S: Subscriber> Worker<'a, 'b, S> {
    pub(crate) fn new(
        machine: &'a mut Machine,
        solver: &'a mut Solver,
        searcher: Box<dyn Searcher>,
        pruners: Vec<Box<dyn Pruner>>,
        team: &'a Team,
        reporter: Reporter<'a, 'b, S>,
    ) -> Worker<'a, 'b, S> {
        let index = reporter.worker;
        solver.stop_after(team.watchdog.search_deadline());
        machine.halt = team.watchdog.halt_flag();
        let subsumption = team.subsumption.as_ref().map(|make| make(&machine.program));
        // Interpolation runs parts of paths on states of holes.
        machine.use_determined(subsumption.is_none());
        let mut tree = PathTree::default();
        if subsumption.is_some() {
            tree.subscribe();
        }
        machine.preferred_length = team.tuning.first_length.into();
        let mut frontier = Frontier::new(searcher, pruners, team.inputs.is_some());
        frontier.set_length(team.tuning.first_length);
        Worker {
            subsumption,
            selection: team.selection.as_ref().map(|make| make()),
            work_on_dropped: 0,
            parked: None,
            suspended: BTreeMap::new(),
            resumed: ResumedPaths::default(),
            program_info: ProgramInfo::new(Arc::clone(&machine.program), machine.options().clone(), &team.tuning),
            machine,
            solver,
            team,
            reporter,
            frontier,
            tree,
            counters: Counters::default(),
            phase: Phase::Search,
            reclaim: Reclaim::default(),
            first_decision: None,
            loans: Loans::default(),
            index,
            replay_cost: ReplayCost::default(),
            longest_input: 0,
            spent: 0,
            length: Length::new(&team.tuning),
            turn: InputTurn::Other(team.inputs.as_ref().map_or(0, Inputs::count)),
            seen_inputs: VecDeque::new(),
            known_coverage: None,
            changes: Changes::default(),
            unfinished: Vec::new(),
        }
        .with_changes()
    }

    /// Keeps what is to be delivered of what is pending, if anybody wants to know.
    fn with_changes(mut self) -> Self {
        if self.team.wants_pending {
            self.changes.is_on = true;
            self.reporter.with_pending();
            self.machine.coverage.keep_log();
        }
        self
    }

    /// Starts with an input and explores until nothing is pending or a limit is hit.
    pub(crate) fn start(mut self, input: Vec<u8>) -> Work<S::Error> {
        // The first block is covered as soon as the state exists.
        let covered = self.machine.coverage.newly_covered();
        let state = self.machine.start(input);
        let number = self.team.watchdog.start_path(false).unwrap_or(1);
        self.turn = InputTurn::First;
        let reason = self.follow(state, RunningPath::first(number, covered))?;
        self.work(reason)
    }

    /// Goes on with the tree of an earlier round.
    pub(crate) fn resume(mut self, parked: Parked, order: &str) -> Work<S::Error> {
        let Parked { mut frontier, tree, program_info, first_decision, longest_input, length, others, .. } = parked;
        if parked.order != order {
            frontier.set_searcher(self.frontier.searcher);
        }
        (self.frontier, self.tree, self.program_info) = (frontier, tree, program_info);
        (self.first_decision, self.longest_input, self.length) = (first_decision, longest_input, length);
        self.machine.preferred_length = self.length.now().into();
        self.turn = InputTurn::First;
        self.unpack(others);
        let reason = self.team.watchdog.stop_reason();
        self.work(reason)
    }

    /// Goes on with what an earlier run has left.
    pub(crate) fn go_on(mut self, continued: Continued) -> Work<S::Error> {
        self.turn = InputTurn::First;
        self.continue_with(continued.items);
        self.work(None)
    }

    /// Starts with flips that another worker has found.
    pub(crate) fn join(mut self, flips: Vec<PortableFlip>) -> Work<S::Error> {
        self.start_fetched(flips);
        self.work(None)
    }

    fn work(mut self, mut reason: Option<StopReason>) -> Work<S::Error> {
        while reason.is_none() {
            reason = self.resolve_suspended()?;
            if reason.is_some() {
                break;
            }
            self.deliver_if_due(None)?;
            if let Some(path) = self.unfinished.pop() {
                reason = self.continue_path(path)?;
                continue;
            }
            self.receive_returned();
            self.drop_called_back()?;
            if self.frontier.is_empty() {
                // What others explore may account for suspended paths.
                if !self.resumed.waiting.is_empty() || !self.suspended.is_empty() && !self.loans.has_lent() {
                    reason = self.resume_next()?;
                    continue;
                }
                // The others may end the run.
                if self.changes.is_on {
                    self.deliver(None)?;
                }
                match self.fetch() {
                    Fetched::Flips(flips) => self.start_fetched(flips),
                    Fetched::Items(items) => {
                        self.replay_cost = ReplayCost { before: self.machine.instructions, replayed: 0 };
                        self.continue_with(items);
                    }
                    Fetched::Returned(returned) => self.close_returned(returned),
                    Fetched::Idle => reason = self.resume_next()?,
                    Fetched::Over => break,
                }
                continue;
            }
            reason = self.reclaim_between_paths();
            if reason.is_some() {
                break;
            }
            if let Some(SeenInput { input, covers_new }) = self.next_input()? {
                reason = self.run_fresh(&input, covers_new)?;
                continue;
            }
            if let Some(bytes) = self.frontier.searcher.fresh_input(self.longest_input) {
                reason = self.run_fresh(&Input { bytes: bytes.into(), from: "searcher" }, false)?;
                continue;
            }
            self.share(None)?;
            reason = self.select()?;
            if reason.is_some() {
                break;
            }
            let greedy = self.greedy_flip();
            let work = self.work_so_far();
            let can_grow = self.machine.longest_input().is_some_and(|most| most > self.length.now().into());
            if can_grow && self.length.is_exhausted(self.machine.coverage.total_newly_covered(), work) {
                self.grow();
            }
            let mut view =
                View { coverage: &self.machine.coverage, program_info: &mut self.program_info, tree: &self.tree };
            let chosen = match greedy {
                Some(id) => Some((id, Attempt::default())),
                None => self.frontier.postponed.due(work, &self.team.tuning),
            };
            let chosen = chosen.or_else(|| self.frontier.pick(&mut view).map(|id| (id, Attempt::default())));
            if chosen.is_none() && self.frontier.has_longer() {
                self.grow();
                continue;
            }
            let Some((id, attempt)) = chosen.or_else(|| self.frontier.postponed.first()) else { break };
            reason = self.try_flip(id, attempt)?;
            self.report_progress()?;
        }
        let not_fetched = self.team.exchange.close();
        if reason.is_some() {
            // Others have delivered these. What had no answer may have one when the run goes on.
            self.deliver_last()?;
        }
        self.unpack(not_fetched);
        self.give_up_unanswered()?;
        self.counters.stopped += (self.suspended.len() + self.unfinished.len()) as u64;
        self.counters.left = self.frontier.len() as u64 + self.counters.stopped;
        if self.parks(reason) {
            return self.park(reason);
        }
        if let Some(reason) = reason {
            self.run_grace_period(reason)?;
        }
        let end = self.discard_pending(reason);
        for (_, flip) in self.frontier.iter() {
            let (departure, branch) = (self.tree.departure(flip.side), flip.info.branch);
            self.reporter.flip_closed(ClosedFlip { departure, branch, end })?;
        }
        self.deliver_last()?;
        let counters = self.counted();
        if self.team.leave_memory {
            std::mem::forget((self.frontier, self.tree));
        }
        Ok((WorkEnd { reason, counters, left: Vec::new() }, self.parked))
    }

    /// What becomes of flips that are still pending: at the end of a round, they are dropped with its tree.
    fn discard_pending(&mut self, reason: Option<StopReason>) -> FlipEnd {
        match &self.selection {
            Some(selection) if reason == Some(StopReason::Round) && !self.team.is_last_round => {
                let pruned = Pruned { by: selection.name(), lossless: false };
                self.counters.count_dropped(pruned, self.frontier.len() as u64);
                FlipEnd::Pruned { by: pruned.by, lossless: false }
            }
            _ => FlipEnd::Pending,
        }
    }

    /// Whether a later round goes on with the tree.
    fn parks(&self, reason: Option<StopReason>) -> bool {
        let goes_on = matches!(reason, Some(StopReason::Round | StopReason::Memory));
        self.team.parks && goes_on && self.subsumption.is_none()
    }

    /// Keeps the tree for a later round.
    fn park(mut self, reason: Option<StopReason>) -> Work<S::Error> {
        self.deliver_last()?;
        let counters = Counters { pending: 0, ..self.counted() };
        let (frontier, program_info) = (self.frontier, self.program_info);
        if self.index > 0 {
            let left = frontier.into_flips().map(|flip| PortableFlip::new(flip, None, &program_info)).collect();
            return Ok((WorkEnd { reason, counters, left }, None));
        }
        let parked = Parked {
            frontier,
            tree: self.tree,
            program_info,
            first_decision: self.first_decision,
            longest_input: self.longest_input,
            length: self.length,
            order: String::new(),
            others: Vec::new(),
            counters: Counters::default(),
        };
        Ok((WorkEnd { reason, counters, left: Vec::new() }, Some(parked)))
    }

    /// Tries longer inputs from now on.
    fn grow(&mut self) {
        self.length.grow();
        self.machine.preferred_length = self.length.now().into();
        self.frontier.set_length(self.length.now());
    }

    /// A pending flip next to a side that is accounted for: once its own side is, too, paths may end at its node.
    fn greedy_flip(&mut self) -> Option<FlipId> {
        let subsumption = self.subsumption.as_mut().filter(|_| self.team.greedy)?;
        while let Some(side) = subsumption.wanted() {
            let status = self.tree.node(side.node).and_then(|node| node.sides.get(side.index as usize));
            if let Some(Status::Pending(id)) = status.map(|side| side.status) {
                return Some(id);
            }
        }
        None
    }

    /// Tries a flip unless it is pruned; returns the limit that was hit, if any.
    fn try_flip(&mut self, id: FlipId, attempt: Attempt) -> Result<Option<StopReason>, S::Error> {
        let mut view =
            View { coverage: &self.machine.coverage, program_info: &mut self.program_info, tree: &self.tree };
        if let Some(pruned) = self.frontier.prune_pending(id, &mut view) {
            if let Some(flip) = self.frontier.take(id) {
                self.close_pruned(Some(id), pruned, &flip)?;
            }
            return Ok(None);
        }
        self.spent = self.work_so_far();
        let before = self.spent;
        let started = self.attempt(id, attempt)?;
        if attempt != Attempt::default() {
            let work = self.work_so_far();
            self.frontier.postponed.spent(work.saturating_sub(before));
        }
        match started {
            Some((state, running)) => self.follow(state, running),
            None => Ok(self.team.watchdog.stop_reason()),
        }
    }

    pub(crate) fn work_so_far(&self) -> u64 {
        work_of(self.machine, self.solver, &self.team.tuning)
    }

    /// Reports the result of trying a flip to the searcher, with the work that was done for it.
    pub(crate) fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        let work = self.work_so_far();
        self.frontier.searcher.spent(work.saturating_sub(self.spent).saturating_add(self.team.tuning.flip_work));
        self.spent = work;
        self.frontier.searcher.tried(id, result);
    }

    /// Records that a pruner dropped a flip.
    pub(crate) fn close_pruned(&mut self, id: Option<FlipId>, pruned: Pruned, flip: &Flip) -> Result<(), S::Error> {
        self.counters.count_pruned(pruned);
        self.note_pruned(pruned, flip);
        self.close_flip(id, flip, pruned.closed(), &[])
    }

    /// Records that a flip does not become a path. Only flips that the searcher knows have an id.
    pub(crate) fn close_flip(
        &mut self,
        id: Option<FlipId>,
        flip: &Flip,
        how: Closed,
        core: &[Expr],
    ) -> Result<(), S::Error> {
        let Flip { info, side, .. } = flip;
        let side = *side;
        if let Some(id) = id {
            self.is_done(flip.name(), Some(id.0));
        }
        let (end, result) = match how {
            Closed::Infeasible => (FlipEnd::Infeasible, FlipResult::Infeasible),
            Closed::Pruned(by) => (FlipEnd::Pruned { by, lossless: true }, FlipResult::Pruned),
            Closed::Incomplete(Incomplete::Pruned(by)) => (FlipEnd::Pruned { by, lossless: false }, FlipResult::Pruned),
            Closed::Incomplete(Incomplete::Lost) => (FlipEnd::Lost, FlipResult::Unanswered),
            // The other variants are for sides along which a path has run.
            Closed::Incomplete(_) | Closed::Ended | Closed::Explored => (FlipEnd::Unknown, FlipResult::Unanswered),
        };
        self.reporter.flip_closed(ClosedFlip { departure: self.tree.departure(side), branch: info.branch, end })?;
        self.tree.close(side, how, core);
        self.update_subsumption();
        if id.is_some() {
            self.tried(id, result);
        }
        Ok(())
    }

    /// After a limit was hit, turns pending flips into tests as long as that is quick, those that cover something new
    /// first.
    fn run_grace_period(&mut self, reason: StopReason) -> Result<(), S::Error> {
        // The bug was all that was wanted.
        if reason == StopReason::Bug {
            return Ok(());
        }
        let mut most = usize::MAX;
        let mut last_instruction = u64::MAX;
        let is_counted = match self.team.watchdog.round() {
            Some(RoundLength::Paths(_)) => reason == StopReason::Round || reason == StopReason::Paths,
            _ => reason == StopReason::Paths,
        };
        if reason == StopReason::Round && !is_counted {
            self.team.watchdog.stop_for(reason);
        }
        if is_counted {
            most = if self.team.watchdog.has_grace() { self.grace_flips() } else { 0 };
            last_instruction = self.machine.instructions.saturating_add(self.team.tuning.grace_instructions);
        } else {
            self.solver.stop_after(self.team.watchdog.grace_deadline());
        }
        self.phase = Phase::Grace { last_instruction };
        let mut ids: Vec<(bool, FlipId)> = self.frontier.iter().map(|(id, flip)| (self.is_covered(flip), id)).collect();
        ids.sort();
        for (_, id) in ids.into_iter().take(most) {
            if self.is_over() {
                break;
            }
            if let Some((state, running)) = self.attempt(id, Attempt::default())? {
                self.follow(state, running)?;
            }
        }
        Ok(())
    }

    /// How many pending flips still become tests where they are counted: in a round, no more than a part of its paths.
    fn grace_flips(&self) -> usize {
        let most = self.team.tuning.grace_flips;
        match self.team.watchdog.round() {
            Some(RoundLength::Paths(paths)) if !self.team.is_last_round => most.min((paths / GRACE_PART) as usize),
            _ => most,
        }
    }

    /// Whether the running path must stop: a limit was hit, or the grace period is over.
    pub(crate) fn is_over(&self) -> bool {
        match self.phase {
            Phase::Search => self.team.watchdog.immediate_stop().is_some(),
            Phase::Grace { last_instruction } => {
                self.machine.instructions >= last_instruction || self.team.watchdog.is_grace_over()
            }
        }
    }

    /// Reports progress if it is due.
    pub(crate) fn report_progress(&mut self) -> Result<(), S::Error> {
        let Worker { reporter, machine, counters, frontier, solver, tree, selection, parked, .. } = self;
        let status = selection.as_ref().map(|selection| selection.status());
        let parked = parked.as_ref().map_or(0, Parked::pending);
        reporter.progress(machine, status, || {
            let counters = snapshot_of(counters, frontier, solver, tree);
            Counters { pending: counters.pending + parked, ..counters }
        })
    }

    pub(crate) fn counted(&self) -> Counters {
        snapshot_of(&self.counters, &self.frontier, self.solver, &self.tree)
    }

    /// Goes on with flips of other workers.
    fn start_fetched(&mut self, flips: Vec<PortableFlip>) {
        self.replay_cost = ReplayCost { before: self.machine.instructions, replayed: 0 };
        // Nothing else is pending here, and these were delivered before.
        self.unpack(flips);
        self.changes.delivered_up_to(self.frontier.next_id());
    }

    /// Adds flips of other workers. To the searcher, the paths that found them have ended.
    pub(crate) fn unpack(&mut self, flips: Vec<PortableFlip>) {
        let mut paths: Vec<u64> = flips.iter().map(|flip| flip.info.path).collect();
        flips.into_iter().for_each(|flip| self.borrow(flip));
        paths.dedup();
        for path in paths {
            self.frontier.searcher.tried(None, FlipResult::Ran { path, newly_covered: 0 });
        }
    }
}

/// A measure of what was done so far that is the same in every run: instructions, expressions, and the solver's effort.
fn work_of(machine: &Machine, solver: &Solver, tuning: &Tuning) -> u64 {
    let statistics = solver.statistics();
    let counted = machine.instructions / tuning.work_instructions
        + machine.expressions() / tuning.work_expressions
        + statistics.evaluated / tuning.work_evaluated;
    let counted = counted.saturating_add(statistics.backend_effort.saturating_mul(tuning.effort_work));
    counted.saturating_add(statistics.backend_calls.saturating_mul(tuning.smt_work))
}

/// The counters of a worker, with those that are kept elsewhere.
fn snapshot_of(counters: &Counters, frontier: &Frontier, solver: &Solver, tree: &PathTree) -> Counters {
    Counters {
        pending: frontier.len() as u64,
        snapshots: frontier.snapshots(),
        solver_time: solver.statistics().time(),
        tree_nodes: tree.peak() as u64,
        ..counters.clone()
    }
}
