//! Where workers hand over flips to each other.
//!
//! A worker that has run out of flips gets some that another one has found, and needs nothing else of it: no expression and no state is ever
//! shared. Flips are handed over only when somebody waits for them, which busy workers see at the price of reading one number.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::portable::PortableFlip;

/// Never the last flip: a worker would be left with none, and the two would pass it to and fro.
const LEAST_STOCK: usize = 2;
const MOST_STOCK: usize = 1 << 12;

/// Where workers hand over flips to each other.
pub trait Exchange: Sync {
    /// Whether flips are wanted at the moment from a worker that has so many. It is asked very often.
    fn wants_flips(&self, having: usize) -> bool;

    /// Hands over some flips, unless another worker has been quicker.
    fn give(&self, pack: &mut dyn FnMut() -> Vec<PortableFlip>);

    /// Waits for flips; `None` if there will never be any, because all workers wait or the run is over. `worthwhile` tells whether the last ones were more work
    /// to go on from than to get to.
    fn fetch(&self, worthwhile: bool) -> Option<Vec<PortableFlip>>;

    /// As [`Exchange::fetch`], for a worker that counts as waiting from the beginning.
    fn fetch_first(&self) -> Option<Vec<PortableFlip>>;

    /// A worker that counts as waiting from the beginning never comes.
    fn leave(&self);

    /// A worker stops: the others get nothing from it any more. Gives back what nobody has fetched.
    fn close(&self) -> Vec<PortableFlip>;
}

/// A queue between the threads of one process.
pub(crate) struct Queue {
    /// Somebody waits for whom there is nothing yet.
    wanted: AtomicBool,
    /// How many flips a worker must have before it gives some away.
    stock: AtomicUsize,
    state: Mutex<ExchangeState>,
    change: Condvar,
}

struct ExchangeState {
    /// Each is for one worker.
    batches: VecDeque<Vec<PortableFlip>>,
    workers: usize,
    waiting: usize,
    /// Nothing is handed over any more.
    closed: bool,
}

impl Queue {
    /// For a first worker, which has flips or is about to find some, and others that wait from the beginning.
    pub(crate) fn new(workers: usize) -> Queue {
        let waiting = workers.saturating_sub(1);
        Queue {
            wanted: AtomicBool::new(waiting > 0),
            stock: AtomicUsize::new(LEAST_STOCK),
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

    /// A worker that panics holds no half-done change: its panic is what the run ends with, not the mutex.
    fn lock(&self) -> MutexGuard<'_, ExchangeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for Queue {
    #[inline]
    fn wants_flips(&self, having: usize) -> bool {
        self.wanted.load(Ordering::Relaxed) && having >= self.stock.load(Ordering::Relaxed)
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
        // A long chain of decisions with nothing beside it is for one worker alone: whoever gets a flip of it runs the whole chain to make one step.
        let stock = self.stock.load(Ordering::Relaxed);
        let stock = if worthwhile { (stock / 2).max(LEAST_STOCK) } else { (stock * 2).min(MOST_STOCK) };
        self.stock.store(stock, Ordering::Relaxed);
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
            exclusions: Vec::new(),
            info: FlipInfo::unknown(),
            calls: Vec::new(),
        };
        (0..count).map(flip).collect()
    }

    #[test]
    fn one_worker_is_done_when_it_asks() {
        let exchange = Queue::new(1);
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut || unreachable!("nobody waits"));
        assert!(exchange.fetch(true).is_none());
    }

    #[test]
    fn nothing_is_given_to_those_who_do_not_wait() {
        let exchange = Queue::new(2);
        assert!(exchange.wants_flips(usize::MAX));
        exchange.give(&mut || flips(3));
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut || unreachable!("there is a batch for the one who waits"));
        assert_eq!(exchange.fetch_first().map(|batch| batch.len()), Some(3));
        assert!(!exchange.wants_flips(usize::MAX));
    }

    #[test]
    fn what_was_not_fetched_comes_back() {
        let exchange = Queue::new(3);
        exchange.give(&mut || flips(3));
        exchange.give(&mut || flips(2));
        assert_eq!(exchange.close().len(), 5);
        assert!(exchange.close().is_empty() && exchange.fetch_first().is_none());
        exchange.give(&mut || unreachable!("it is closed"));
    }

    /// Workers that give half of what they have to whoever waits: each parcel arrives once, and all workers come to an end.
    #[test]
    fn every_parcel_arrives() {
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
