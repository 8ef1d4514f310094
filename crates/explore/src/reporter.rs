//! Delivers the events of a worker to the subscriber of the run.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use secateur_machine::{End, Machine};

use crate::counters::Counters;
use crate::event::{ClosedFlip, EndedPath, Event, Keeper, PathEnd, Progress, Record, RefutedSide, Subscriber};
use crate::limits::StopReason;
use crate::pending::PendingChange;
use crate::selection::SelectionStatus;
use crate::watchdog::Watchdog;

/// How often a worker reports progress. This is a constant because it affects only what is displayed.
const INTERVAL: Duration = Duration::from_millis(10);

/// The most events that are collected, so that a subscriber does not have to wait for the next record. This is a
/// constant because it affects only when events are reported.
const MAX_EVENTS: usize = 1024;

/// The subscriber and the last reported counters of each worker.
pub(crate) struct Shared<'a, S> {
    subscriber: &'a mut S,
    /// Those of earlier rounds.
    before: Counters,
    counters: Vec<Counters>,
}

impl<'a, S: Subscriber> Shared<'a, S> {
    /// `before` are the counters of earlier rounds.
    pub(crate) fn new(subscriber: &'a mut S, workers: usize, before: Counters) -> Mutex<Shared<'a, S>> {
        Mutex::new(Shared { subscriber, before, counters: vec![Counters::default(); workers] })
    }
}

/// The events of a worker that are not delivered yet.
pub(crate) struct Reporter<'a, 'b, S: Subscriber> {
    shared: &'a Mutex<Shared<'b, S>>,
    watchdog: &'a Watchdog,
    /// The number of the worker.
    pub worker: usize,
    keeper: S::Keeper,
    events: Vec<Event<Record<S>>>,
    /// When it last reported progress.
    reported: Option<Instant>,
    is_due: bool,
    with_pending: bool,
}

impl<'a, 'b, S: Subscriber> Reporter<'a, 'b, S> {
    pub(crate) fn new(shared: &'a Mutex<Shared<'b, S>>, watchdog: &'a Watchdog, worker: usize) -> Reporter<'a, 'b, S> {
        let keeper = lock(shared).subscriber.keeper();
        Reporter {
            shared,
            watchdog,
            worker,
            keeper,
            events: Vec::new(),
            reported: None,
            is_due: false,
            with_pending: false,
        }
    }

    /// The record that the keeper makes of a path that has ended.
    pub(crate) fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Record<S>> {
        self.keeper.keep(machine, path)
    }

    /// Reports the end of a path. A record is delivered at once, since it may be shown to the user.
    pub(crate) fn path_ended(&mut self, path: EndedPath, kept: Option<Record<S>>) -> Result<(), S::Error> {
        let is_urgent = kept.is_some();
        self.add(Event::PathEnded(path, kept))?;
        if is_urgent { self.deliver_soon() } else { Ok(()) }
    }

    /// Reports what was kept of the run of an input.
    pub(crate) fn input_ran(&mut self, end: End, kept: Record<S>) -> Result<(), S::Error> {
        self.add(Event::InputRan(end, kept))?;
        self.deliver_soon()
    }

    /// Reports a flip that did not become a path.
    pub(crate) fn flip_closed(&mut self, flip: ClosedFlip) -> Result<(), S::Error> {
        self.add(Event::FlipClosed(flip))
    }

    /// Reports a side that its path refutes.
    pub(crate) fn side_refuted(&mut self, side: RefutedSide) -> Result<(), S::Error> {
        self.add(Event::SideRefuted(side))
    }

    /// Reports progress if it is due.
    pub(crate) fn progress(
        &mut self,
        machine: &Machine,
        selection: Option<SelectionStatus>,
        counters: impl FnOnce() -> Counters,
    ) -> Result<(), S::Error> {
        let now = Instant::now();
        if self.reported.is_some_and(|last| now - last < INTERVAL) {
            return Ok(());
        }
        self.reported = Some(now);
        let mut shared = lock(self.shared);
        shared.counters[self.worker] = counters();
        let mut all = shared.before.clone();
        shared.counters.iter().for_each(|counters| all += counters);
        drop(shared);
        let branches = machine.program.source_outcomes(|branch, outcome| machine.coverage.taken(branch, outcome));
        self.events.push(Event::Progress(Box::new(Progress { counters: all, branches, selection })));
        self.deliver_soon()
    }

    /// Delivers what was collected: at once, or where the worker can say what is pending besides.
    fn deliver_soon(&mut self) -> Result<(), S::Error> {
        self.is_due = true;
        if self.with_pending { Ok(()) } else { self.flush(None) }
    }

    /// Whether the collected events should be delivered now, with what is pending.
    pub(crate) fn is_due(&self) -> bool {
        self.is_due
    }

    /// From now on, events are delivered where the worker can say what is pending besides.
    pub(crate) fn with_pending(&mut self) {
        self.with_pending = true;
    }

    fn add(&mut self, event: Event<Record<S>>) -> Result<(), S::Error> {
        self.events.push(event);
        if self.events.len() < MAX_EVENTS { Ok(()) } else { self.deliver_soon() }
    }

    /// Delivers the collected events, and what has changed among the pending items. If the subscriber fails, all
    /// workers stop before any of them can report more.
    pub(crate) fn flush(&mut self, change: Option<(PendingChange, Counters)>) -> Result<(), S::Error> {
        self.is_due = false;
        if self.events.is_empty() && change.is_none() {
            return Ok(());
        }
        let mut shared = lock(self.shared);
        let received = self.events.drain(..).try_for_each(|event| shared.subscriber.receive(event));
        let received = received.and_then(|()| shared.subscriber.delivered(self.worker, change));
        if shared.subscriber.has_bug() {
            self.watchdog.stop_for(StopReason::Bug);
        }
        received.inspect_err(|_| self.watchdog.interrupt())
    }
}

/// If a worker panics while it reports, the run ends; what it has reported until then is still valid.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
