//! How workers share flips.
//!
//! A worker that has run out of flips gets some that another one has found, and nothing else: no expression and no
//! state is ever shared. Flips are given away only while a worker waits for them, which busy workers learn by reading
//! one number.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::portable::PortableFlip;

/// A worker never gives away its last flip: it would run out itself, and two workers could pass one flip back and forth
/// for ever. These bounds are constants because they affect only which worker does what.
const MIN_THRESHOLD: usize = 2;
const MAX_THRESHOLD: usize = 1 << 12;

/// Passes flips between workers.
pub trait Exchange: Sync {
    /// Whether a worker with this many pending flips should give some away. It is called very often.
    fn wants_flips(&self, pending: usize) -> bool;

    /// Gives away the flips that `pack` returns, unless another worker was quicker.
    fn give(&self, pack: &mut dyn FnMut() -> Vec<PortableFlip>);

    /// Waits for flips; returns `None` if there will never be any, because all workers wait or the run is over.
    /// `worthwhile` says whether exploring from the last ones took at least as much work as getting to them.
    fn fetch(&self, worthwhile: bool) -> Option<Vec<PortableFlip>>;

    /// As [`Exchange::fetch`], for a worker that counts as waiting from the start.
    fn fetch_first(&self) -> Option<Vec<PortableFlip>>;

    /// A worker that counts as waiting from the start will never fetch.
    fn leave(&self);

    /// A worker stops, and nothing is exchanged any more. Returns the flips that were not fetched.
    fn close(&self) -> Vec<PortableFlip>;
}

/// An exchange between the threads of one process.
pub(crate) struct Queue {
    /// Whether a worker waits for which there is no batch yet.
    wanted: AtomicBool,
    /// How many pending flips a worker needs before it gives some away.
    threshold: AtomicUsize,
    state: Mutex<ExchangeState>,
    change: Condvar,
}

struct ExchangeState {
    /// Each batch is for one worker.
    batches: VecDeque<Vec<PortableFlip>>,
    workers: usize,
    waiting: usize,
    /// Whether the run is over.
    closed: bool,
}

impl Queue {
    /// For a first worker, which has flips or is about to find some, and others that wait from the start.
    pub(crate) fn new(workers: usize) -> Queue {
        let waiting = workers.saturating_sub(1);
        Queue {
            wanted: AtomicBool::new(waiting > 0),
            threshold: AtomicUsize::new(MIN_THRESHOLD),
            state: Mutex::new(ExchangeState { batches: VecDeque::new(), workers, waiting, closed: false }),
            change: Condvar::new(),
        }
    }

    fn wait(&self, mut state: MutexGuard<'_, ExchangeState>) -> Option<Vec<PortableFlip>> {
        loop {
            if let Some(batch) = state.batches.pop_front() {
                state.waiting -= 1;
                self.update(&state);
                return Some(batch);
            }
            if state.waiting == state.workers {
                state.closed = true;
                self.change.notify_all();
            }
            if state.closed {
                return None;
            }
            self.update(&state);
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn update(&self, state: &ExchangeState) {
        self.wanted.store(!state.closed && state.waiting > state.batches.len(), Ordering::Relaxed);
    }

    /// The state is consistent even if a worker panicked: no change to it is interrupted by a panic, which ends the run
    /// by itself.
    fn lock(&self) -> MutexGuard<'_, ExchangeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for Queue {
    #[inline]
    fn wants_flips(&self, pending: usize) -> bool {
        self.wanted.load(Ordering::Relaxed) && pending >= self.threshold.load(Ordering::Relaxed)
    }

    fn give(&self, pack: &mut dyn FnMut() -> Vec<PortableFlip>) {
        let mut state = self.lock();
        if state.closed || state.waiting <= state.batches.len() {
            return;
        }
        state.batches.push_back(pack());
        self.update(&state);
        drop(state);
        self.change.notify_one();
    }

    fn fetch(&self, worthwhile: bool) -> Option<Vec<PortableFlip>> {
        let mut state = self.lock();
        // A long chain of decisions whose alternatives lead nowhere is best left to one worker: any other would run the
        // whole chain to take one step. So the threshold rises while fetched flips are not worth their replay.
        let threshold = self.threshold.load(Ordering::Relaxed);
        let threshold =
            if worthwhile { (threshold / 2).max(MIN_THRESHOLD) } else { (threshold * 2).min(MAX_THRESHOLD) };
        self.threshold.store(threshold, Ordering::Relaxed);
        state.waiting += 1;
        self.wait(state)
    }

    fn fetch_first(&self) -> Option<Vec<PortableFlip>> {
        self.wait(self.lock())
    }

    fn leave(&self) {
        let mut state = self.lock();
        state.workers -= 1;
        state.waiting -= 1;
        self.update(&state);
    }

    fn close(&self) -> Vec<PortableFlip> {
        let mut state = self.lock();
        state.closed = true;
        self.update(&state);
        self.change.notify_all();
        state.batches.drain(..).flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use secateur_path::ChoiceKey;

    use super::*;
    use crate::flip::FlipInfo;

    fn flips(count: u64) -> Vec<PortableFlip> {
        let flip = |_| PortableFlip {
            input: Arc::from([]),
            key: ChoiceKey::Side(false),
            identity: 0,
            exclusions: Vec::new(),
            info: FlipInfo::unknown(),
            calls: Vec::new(),
        };
        (0..count).map(flip).collect()
    }

    #[test]
    fn a_single_worker_gets_no_flips() {
        let exchange = Queue::new(1);
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut || unreachable!("no worker waits"));
        assert!(exchange.fetch(true).is_none());
    }

    #[test]
    fn flips_are_given_only_to_waiting_workers() {
        let exchange = Queue::new(2);
        assert!(exchange.wants_flips(usize::MAX));
        exchange.give(&mut || flips(3));
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut || unreachable!("the waiting worker has a batch"));
        assert_eq!(exchange.fetch_first().map(|batch| batch.len()), Some(3));
        assert!(!exchange.wants_flips(usize::MAX));
    }

    #[test]
    fn close_returns_what_was_not_fetched() {
        let exchange = Queue::new(3);
        exchange.give(&mut || flips(3));
        exchange.give(&mut || flips(2));
        assert_eq!(exchange.close().len(), 5);
        assert!(exchange.close().is_empty() && exchange.fetch_first().is_none());
        exchange.give(&mut || unreachable!("it is closed"));
    }

    /// Workers give half of their flips to whichever worker waits: each flip arrives once, and all workers terminate.
    #[test]
    fn every_flip_arrives_once() {
        for workers in [2, 3, 8] {
            let exchange = Queue::new(workers);
            let work = |batch: Option<Vec<PortableFlip>>| {
                let Some(mut mine) = batch else { return 0 };
                let mut done = 0;
                loop {
                    if exchange.wants_flips(usize::MAX) && mine.len() > 1 {
                        let half = mine.len() / 2;
                        exchange.give(&mut || mine.split_off(half));
                    }
                    match mine.pop() {
                        Some(_) => done += 1,
                        None => match exchange.fetch(true) {
                            Some(batch) => mine = batch,
                            None => return done,
                        },
                    }
                }
            };
            let done: u64 = std::thread::scope(|scope| {
                let others: Vec<_> = (1..workers).map(|_| scope.spawn(|| work(exchange.fetch_first()))).collect();
                let mine = work(Some(flips(10_000)));
                mine + others.into_iter().map(|other| other.join().unwrap()).sum::<u64>()
            });
            assert_eq!(done, 10_000, "{workers} workers");
        }
    }
}
