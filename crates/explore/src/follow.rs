//! Runs a path to its end and keeps the flips on its way.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use secateur_expr::Expr;
use secateur_machine::{Choice, Decision, DecisionKind, End, Event, Limit, PackedState, Refuted, State, Unsupported};

use crate::event::{EndedPath, PathEnd, RefutedSide, Subscriber};
use crate::fault;
use crate::flip::{Flip, FlipInfo, Snapshot, branch_outcome};
use crate::frontier::Pruned;
use crate::limits::StopReason;
use crate::pending::StillRunning;
use crate::phase::Phase;
use crate::running::RunningPath;
use crate::search::FlipResult;
use crate::selection::Mark;
use crate::subsumption::{Cover, PathAt, Resolution, Verdict};
use crate::tree::{Closed, Found, Incomplete, NodeId, Point, SideId, Status};
use crate::view::View;
use crate::watchdog::Pressure;
use crate::worker::Worker;

/// How long a worker sleeps when its machine is halted. This is a constant because it affects only time.
pub(crate) const HALT_SLEEP: Duration = Duration::from_millis(1);

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Runs a path to its end; returns the limit that was hit, if any.
    pub(crate) fn follow(&mut self, mut state: State, mut path: RunningPath) -> Result<Option<StopReason>, S::Error> {
        let input: Arc<[u8]> = Arc::from(self.machine.guide.input());
        self.reclaim.path_starts(self.machine.pool.len());
        let mut attempts = 0;
        loop {
            if let Some(subsumption) = &mut self.subsumption {
                let is_active = subsumption.prepare(self.machine, self.solver);
                if self.team.reports_refuted_if_active {
                    self.machine.set_refuted(if is_active { Refuted::Reported } else { Refuted::Counted });
                }
            }
            let (before, halted) = (state.instructions, self.machine.halt.load(Ordering::Relaxed));
            let event = self.run(&mut state);
            if !matches!(event, Event::End(_)) && self.is_over() {
                // A path that is stopped before its end still leaves its flips, and counts for coverage.
                let mut decisions = state.path.len();
                if let Event::Decision(decision) = event {
                    self.keep_alternatives(&mut state, &decision, &input, &mut path)?;
                    decisions += 1;
                }
                self.counters.stopped += 1;
                self.stays_pending(&state, &path, &input, decisions);
                // Its end is no end for whoever continues it.
                self.deliver_last()?;
                let reason = self.end_path(&state, End::Limit(Limit::Run), &path);
                if self.team.leave_memory {
                    std::mem::forget(state);
                }
                return reason;
            }
            match event {
                Event::Pause => {
                    self.report_progress()?;
                    let decisions = state.path.len();
                    self.deliver_while_running(&state, &path, &input, decisions)?;
                    self.share_while_running(&state, &path, &input, decisions)?;
                    // Far more than are kept between paths, but still fewer than a pool can hold.
                    if self.machine.pool.len() > self.team.tuning.path_expressions {
                        return self.end_path(&state, End::Limit(Limit::Expressions), &path);
                    }
                    // Memory was not short when the instruction started, and still it did not complete.
                    attempts = if state.instructions > before { 0 } else { attempts + u32::from(!halted) };
                    if attempts == self.team.tuning.memory_attempts {
                        return self.end_path(&state, End::Limit(Limit::Memory), &path);
                    }
                    self.sleep_if_halted();
                }
                Event::Decision(decision) => {
                    path.has_reached(state.instructions, self.machine.coverage.newly_covered());
                    match self.compare(&state, &path, &input) {
                        Verdict::Open => {}
                        Verdict::Subsumed(cover) => {
                            return self.end_covered(&state, End::Limit(Limit::Subsumed), &path, Some(cover));
                        }
                        Verdict::Proved { node, cover } => {
                            let reason =
                                self.end_covered(&state, End::Limit(Limit::Subsumed), &path, Some(cover.clone()))?;
                            self.counters.proved += 1;
                            self.close_below(node, &cover)?;
                            return Ok(reason);
                        }
                        Verdict::Suspended => return Ok(self.suspend(state, path, input)),
                    }
                    self.keep_alternatives(&mut state, &decision, &input, &mut path)?;
                    self.machine.take(&mut state, &decision.chosen);
                }
                Event::End(end) => return self.end_path(&state, end, &path),
            }
            if self.team.watchdog.pressure() != Pressure::None && !self.reclaim_while_running(&mut state, &input) {
                return self.end_path(&state, End::Limit(Limit::Memory), &path);
            }
        }
    }

    /// Runs a state for one slice. If the machine panics, the path ends as unsupported.
    pub(crate) fn run(&mut self, state: &mut State) -> Event {
        let (machine, slice) = (&mut *self.machine, self.team.tuning.slice);
        fault::catch(|| machine.run(state, slice)).unwrap_or_else(|message| {
            let program = &self.machine.program;
            let place = program.describe(state.frame.loc(program));
            self.counters.add_fault(format!("a path at {place}: {message}"));
            // The pool may have been left half-changed, so nothing of it is used again.
            self.reclaim.forget = true;
            let what = format!("an internal error of Secateur: {message}");
            Event::End(End::Unsupported(Box::new(Unsupported { what, stack: state.stack(program) })))
        })
    }

    /// Sleeps for a moment if the machine is halted: running it would only pause again.
    pub(crate) fn sleep_if_halted(&self) {
        if self.machine.halt.load(Ordering::Relaxed) {
            std::thread::sleep(HALT_SLEEP);
        }
    }

    /// Whether the run is in its grace period, in which no new flips are kept.
    pub(crate) fn is_grace(&self) -> bool {
        self.phase != Phase::Search
    }

    /// A path is stopped before its end; its alternatives so far are kept.
    fn stays_pending(&mut self, state: &State, path: &RunningPath, input: &Arc<[u8]>, decisions: usize) {
        self.waits(StillRunning { path, input, exclusions: &state.exclusions, decisions });
    }

    fn deliver_while_running(
        &mut self,
        state: &State,
        path: &RunningPath,
        input: &Arc<[u8]>,
        decisions: usize,
    ) -> Result<(), S::Error> {
        self.deliver_if_due(Some(StillRunning { path, input, exclusions: &state.exclusions, decisions }))
    }

    fn keep_alternatives(
        &mut self,
        state: &mut State,
        decision: &Decision,
        input: &Arc<[u8]>,
        path: &mut RunningPath,
    ) -> Result<(), S::Error> {
        debug_assert!(decision.kind != DecisionKind::Concretisation || decision.alternatives.is_empty());
        if self.is_grace() {
            return Ok(());
        }
        let at = self.program_info.position(state);
        let (function, pc, ordinal) = (state.frame.function, state.frame.pc, state.path.len() as u32);
        let point = Point { function, pc, stack: at.stack, ordinal };
        let found = Found { point, loc: at.loc, found_by: path.number, taken: decision.chosen.key };
        let from = path.side;
        let taken = self.tree.add_decision(from, found);
        if let Some(subsumption) = &mut self.subsumption {
            subsumption.found(self.machine, taken.node, &PathAt { number: path.number, from, state, input }, decision);
        }
        path.side = Some(taken);
        for choice in &decision.refuted {
            self.close_refuted(state, decision, choice, taken.node)?;
        }
        let mut shared: Option<Rc<PackedState>> = None;
        for choice in &decision.alternatives {
            let mark = self.mark(state, path.mark, choice);
            let info = FlipInfo { mark, ..FlipInfo::new(state, at, decision.kind, choice, path) };
            let side = self.tree.add_side(taken.node, choice.key);
            let (input, key, exclusions) = (Arc::clone(input), choice.key, state.exclusions.clone());
            let identity = state.path.identity_with(key);
            let mut flip = Flip { input, key, identity, exclusions, info, side, snapshot: None };
            let mut view =
                View { coverage: &self.machine.coverage, program_info: &mut self.program_info, tree: &self.tree };
            if let Some(pruned) = self.frontier.prune(&flip.info, &mut view) {
                self.close_pruned(None, pruned, &flip)?;
                continue;
            }
            if self.team.snapshots && self.team.watchdog.pressure() == Pressure::None {
                let state = Rc::clone(shared.get_or_insert_with(|| Rc::new(self.snapshot(state))));
                flip.snapshot = Some(Box::new(Snapshot { state, choice: *choice }));
            }
            self.frontier.add(Box::new(flip), &mut self.tree);
        }
        path.mark = self.mark(state, path.mark, &decision.chosen);
        // The choice that the path takes is next.
        let decisions = state.path.len() + 1;
        self.deliver_while_running(state, path, input, decisions)?;
        self.share_while_running(state, path, input, decisions)
    }

    /// What the selection knows of a path that takes a choice.
    fn mark(&mut self, state: &State, mark: Mark, choice: &Choice) -> Mark {
        match &mut self.selection {
            Some(selection) if !choice.implied => {
                selection.mark(&mut self.machine.pool, &state.path, mark, choice.condition)
            }
            _ => mark,
        }
    }

    /// A copy of a state that stopped at a decision. Interpolation may inspect any slot.
    fn snapshot(&mut self, state: &mut State) -> PackedState {
        if self.subsumption.is_some() {
            return PackedState::whole(state.clone());
        }
        self.program_info.snapshot(state)
    }

    /// Closes the side of a choice that the conditions of the path refute.
    fn close_refuted(
        &mut self,
        state: &State,
        decision: &Decision,
        choice: &Choice,
        node: NodeId,
    ) -> Result<(), S::Error> {
        let side = self.tree.add_side(node, choice.key);
        let core = state.path.refutation(&mut self.machine.pool, choice.condition).unwrap_or_default();
        self.reporter.side_refuted(RefutedSide {
            departure: self.tree.departure(side),
            branch: branch_outcome(decision.kind, choice.key),
            core: core.iter().map(|condition| condition.decision).collect(),
            implied: decision.chosen.implied,
        })?;
        let conditions: Vec<Expr> = core.iter().map(|condition| condition.condition).collect();
        self.tree.close(side, Closed::Infeasible, &conditions);
        Ok(())
    }

    fn end_path(&mut self, state: &State, end: End, path: &RunningPath) -> Result<Option<StopReason>, S::Error> {
        self.end_covered(state, end, path, None)
    }

    /// Ends a path; `cover` is what it is subsumed by, if it is.
    pub(crate) fn end_covered(
        &mut self,
        state: &State,
        end: End,
        path: &RunningPath,
        cover: Option<Cover>,
    ) -> Result<Option<StopReason>, S::Error> {
        self.count(&end, state, path);
        self.note_end(state, &end, path.number, cover.as_ref());
        if self.team.recheck {
            self.recheck(state, &end, path.number);
        }
        let newly_covered = path.newly_covered(self.machine.coverage.newly_covered());
        self.tried(path.flip, FlipResult::Ran { path: path.number, newly_covered });
        if let Some(inputs) = self.team.inputs.as_ref().filter(|_| newly_covered > 0) {
            inputs.found(self.machine.guide.input());
        }
        if !matches!(end, End::Limit(Limit::Run)) {
            self.is_done(path.name, path.flip.map(|flip| flip.0));
        }
        if let Some(side) = path.side {
            let closed = self.closed_by(&end, state);
            if let Some(subsumption) = &mut self.subsumption {
                let input = Arc::from(self.machine.guide.input());
                let at = PathAt { number: path.number, from: Some(side), state, input: &input };
                subsumption.ended(self.machine, self.solver, &at, &end, closed);
            }
            self.tree.close(side, closed, &[]);
        }
        self.update_subsumption();
        let kept = self.reporter.keep(self.machine, &PathEnd { state, end: &end, covers_new: newly_covered > 0 });
        if newly_covered > 0
            && let Some(selection) = &mut self.selection
        {
            selection.found(self.machine, state, path.mark);
        }
        let is_cut_off = matches!(end, End::Ignored(_))
            || is_limit(&end)
            || cover.as_ref().is_some_and(|cover| cover.text.is_some());
        let ended = EndedPath {
            number: path.number,
            departure: path.departure,
            cut_off_at: if is_cut_off { state.stack(&self.machine.program) } else { Vec::new() },
            end,
            decisions: state.path.len() as u32,
            instructions: state.instructions,
            has_input: !state.symbols.is_empty(),
            cover,
            identity: state.path.identity(),
            covered: self.machine.coverage.take_log(),
        };
        self.reporter.path_ended(ended, kept)?;
        Ok(self.team.watchdog.stop_reason())
    }

    /// Everything below a node is accounted for: drops its pending flips, and ends the paths that wait.
    pub(crate) fn close_below(&mut self, node: NodeId, cover: &Cover) -> Result<(), S::Error> {
        let Some(by) = self.subsumption.as_ref().map(|subsumption| subsumption.name()) else { return Ok(()) };
        let (mut flips, mut waiting, mut work) = (Vec::new(), Vec::new(), vec![node]);
        while let Some(id) = work.pop() {
            let sides = self.tree.node(id).map(|node| node.sides.as_slice()).unwrap_or_default();
            for (side, index) in sides.iter().zip(0..) {
                match side.status {
                    Status::Pending(flip) => flips.push(flip),
                    Status::Inner(below) => work.push(below),
                    Status::Running => waiting.push(SideId { node: id, index }),
                    Status::Closed(_) => {}
                }
            }
        }
        let pruned = Pruned { by, lossless: true };
        for side in waiting {
            if !self.call_back(side, cover, pruned) {
                self.resolve(side, Resolution::Covered(cover.clone()))?;
            }
        }
        for id in flips {
            if let Some(flip) = self.frontier.take(id) {
                self.counters.count_pruned(pruned);
                self.note_proved(&flip);
                self.close_flip(Some(id), &flip, pruned.closed(), &[])?;
            }
        }
        Ok(())
    }

    /// Whether what follows a decision is accounted for.
    fn compare(&mut self, state: &State, path: &RunningPath, input: &Arc<[u8]>) -> Verdict {
        let Some(subsumption) = self.subsumption.as_mut().filter(|_| self.phase == Phase::Search) else {
            return Verdict::Open;
        };
        subsumption.compare(self.machine, self.solver, &PathAt { number: path.number, from: path.side, state, input })
    }

    /// Reports what happened to the tree.
    pub(crate) fn update_subsumption(&mut self) {
        if let Some(subsumption) = &mut self.subsumption {
            let events = self.tree.take_events();
            if events.is_empty() {
                return;
            }
            let settled = self.loans.settled(&events);
            subsumption.update(self.machine, self.solver, events);
            self.give_back(settled);
        }
    }

    /// What the end of a path means for the side that it explored.
    fn closed_by(&self, end: &End, state: &State) -> Closed {
        if let (End::Limit(Limit::Subsumed), Some(subsumption)) = (end, &self.subsumption)
            && state.is_whole()
        {
            return Closed::Pruned(subsumption.name());
        }
        let to_its_end = matches!(end, End::Exit(_) | End::Bug(_) | End::Assumed);
        if to_its_end && state.is_whole() && !self.is_grace() {
            Closed::Ended
        } else {
            Closed::Incomplete(Incomplete::Path)
        }
    }

    fn count(&mut self, end: &End, state: &State, path: &RunningPath) {
        let counters = &mut self.counters;
        match end {
            End::Exit(_) => counters.completed += 1,
            End::Bug(_) => {
                counters.completed += 1;
                counters.bugs += 1;
            }
            End::Assumed => counters.assumed += 1,
            End::Ignored(_) => counters.ignored += 1,
            End::Unsupported(_) => counters.unsupported += 1,
            End::Limit(Limit::Run) => {}
            End::Limit(Limit::Subsumed) => counters.subsumed += 1,
            End::Limit(_) => counters.limited += 1,
        }
        let (refuted, ignored_sides) = path.left_out(state);
        counters.refuted += refuted;
        counters.ignored_sides += ignored_sides;
        counters.deepest = counters.deepest.max(state.path.len() as u64);
        for what in state.given_up.iter() {
            *counters.given_up.entry(*what).or_default() += 1;
        }
        self.longest_input = self.longest_input.max(state.input_len);
        self.program_info.ends(end);
    }
}

/// Whether a path hit a limit, so that what would have followed is not accounted for.
fn is_limit(end: &End) -> bool {
    matches!(end, End::Limit(limit) if *limit != Limit::Subsumed)
}
