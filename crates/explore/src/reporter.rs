//! Hands what happens to a worker over to the subscriber of the run.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use secateur_machine::Machine;

use crate::counters::Counters;
use crate::event::{ClosedFlip, EndedPath, Event, Keeper, PathEnd, Progress, Record, RefutedSide, Subscriber};
use crate::watch::Watch;

/// How often a worker reports how far it is.
const INTERVAL: Duration = Duration::from_millis(10);

/// How many events are collected at most. A subscriber shall not have to wait until there is something to keep.
const MOST_EVENTS: usize = 1024;

/// The subscriber, and how far each worker was when it last reported.
pub(crate) struct Shared<'a, S> {
    subscriber: &'a mut S,
    counters: Vec<Counters>,
}

impl<'a, S: Subscriber> Shared<'a, S> {
    pub(crate) fn new(subscriber: &'a mut S, workers: usize) -> Mutex<Shared<'a, S>> {
        Mutex::new(Shared { subscriber, counters: vec![Counters::default(); workers] })
    }
}

/// What a worker has not handed over yet.
pub(crate) struct Reporter<'a, 'b, S: Subscriber> {
    shared: &'a Mutex<Shared<'b, S>>,
    watch: &'a Watch,
    worker: usize,
    keeper: S::Keeper,
    events: Vec<Event<Record<S>>>,
    /// When it last reported how far it is.
    reported: Option<Instant>,
}

impl<'a, 'b, S: Subscriber> Reporter<'a, 'b, S> {
    pub(crate) fn new(shared: &'a Mutex<Shared<'b, S>>, watch: &'a Watch, worker: usize) -> Reporter<'a, 'b, S> {
        let keeper = lock(shared).subscriber.keeper();
        Reporter { shared, watch, worker, keeper, events: Vec::new(), reported: None }
    }

    /// What the subscriber wants to keep of a path that has ended.
    pub(crate) fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Record<S>> {
        self.keeper.keep(machine, path)
    }

    /// A path has ended. What is kept of it is handed over at once, since somebody may wait for it.
    pub(crate) fn path_ended(&mut self, path: EndedPath, kept: Option<Record<S>>) -> Result<(), S::Error> {
        let is_urgent = kept.is_some();
        self.add(Event::PathEnded(path, kept))?;
        if is_urgent { self.flush() } else { Ok(()) }
    }

    /// A flip did not become a path.
    pub(crate) fn flip_closed(&mut self, flip: ClosedFlip) -> Result<(), S::Error> {
        self.add(Event::FlipClosed(flip))
    }

    /// A path refutes a side of its decision.
    pub(crate) fn side_refuted(&mut self, side: RefutedSide) -> Result<(), S::Error> {
        self.add(Event::SideRefuted(side))
    }

    /// Reports how far this worker is, if it is time to.
    pub(crate) fn progress(&mut self, machine: &Machine, counters: impl FnOnce() -> Counters) -> Result<(), S::Error> {
        let now = Instant::now();
        if self.reported.is_some_and(|last| now - last < INTERVAL) {
            return Ok(());
        }
        self.reported = Some(now);
        let mut shared = lock(self.shared);
        shared.counters[self.worker] = counters();
        let mut all = Counters::default();
        shared.counters.iter().for_each(|counters| all += counters);
        drop(shared);
        let branches = machine.coverage.user_outcomes(&machine.program);
        self.events.push(Event::Progress(Box::new(Progress { counters: all, branches })));
        self.flush()
    }

    fn add(&mut self, event: Event<Record<S>>) -> Result<(), S::Error> {
        self.events.push(event);
        if self.events.len() < MOST_EVENTS { Ok(()) } else { self.flush() }
    }

    /// Hands over what was collected. If the subscriber fails, all workers stop before any of them can report more.
    pub(crate) fn flush(&mut self) -> Result<(), S::Error> {
        if self.events.is_empty() {
            return Ok(());
        }
        let mut shared = lock(self.shared);
        let received = self.events.drain(..).try_for_each(|event| shared.subscriber.receive(event));
        received.inspect_err(|_| self.watch.interrupt())
    }
}

/// A worker that panics while it reports ends the run; until then, what it has reported is all there is.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
