//! Where workers hand over flips to each other.
//!
//! A flip without its snapshot is an input, a depth and the values that were excluded on the way: small, and good on any machine. So a worker that has run out of flips gets some that another one has found, and needs nothing else of
//! it: no expression and no state is ever shared. Flips are handed over only when somebody waits for them, which busy workers see at the price of reading one number.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use secateur_graph::Call;
use secateur_path::ChoiceKey;

use crate::flip::Summary;

/// Never the last flip: a worker would be left with none, and the two would pass it to and fro.
const LEAST_STOCK: usize = 2;
const MOST_STOCK: usize = 1 << 12;

/// A flip on its way from one worker to another.
pub(crate) struct Parcel {
    /// An input whose path passes the decision.
    pub input: Arc<[u8]>,
    /// The number of the path on which it was found.
    pub parent: u64,
    /// Which of the alternatives is meant.
    pub key: ChoiceKey,
    /// The values that were excluded on the way, the newest first.
    pub exclusions: Vec<(u32, u64)>,
    /// What is known about it; its stack and its origin have a meaning only where it was found.
    pub summary: Summary,
    /// The calls that are active, the outermost first.
    pub stack: Vec<Call>,
}

/// The place where parcels are left and fetched.
pub(crate) struct Exchange {
    /// Somebody waits for whom there is nothing yet.
    wanted: AtomicBool,
    /// How many flips a worker must have before it gives some away.
    stock: AtomicUsize,
    desk: Mutex<Desk>,
    change: Condvar,
}

struct Desk {
    /// Each is for one worker.
    batches: VecDeque<Vec<Parcel>>,
    workers: usize,
    waiting: usize,
    /// Nothing is handed over any more.
    closed: bool,
}

impl Exchange {
    /// For a first worker, which has flips or is about to find some, and others that wait from the beginning.
    pub(crate) fn new(workers: usize) -> Exchange {
        let waiting = workers.saturating_sub(1);
        Exchange {
            wanted: AtomicBool::new(waiting > 0),
            stock: AtomicUsize::new(LEAST_STOCK),
            desk: Mutex::new(Desk { batches: VecDeque::new(), workers, waiting, closed: false }),
            change: Condvar::new(),
        }
    }

    /// Whether flips are wanted at the moment from a worker that has so many.
    #[inline]
    pub(crate) fn wants_flips(&self, having: usize) -> bool {
        self.wanted.load(Ordering::Relaxed) && having >= self.stock.load(Ordering::Relaxed)
    }

    /// Leaves some flips, unless somebody else has been quicker.
    pub(crate) fn give(&self, pack: impl FnOnce() -> Vec<Parcel>) {
        let mut desk = self.lock();
        if desk.closed || desk.waiting <= desk.batches.len() {
            return;
        }
        desk.batches.push_back(pack());
        self.update(&desk);
        drop(desk);
        self.change.notify_one();
    }

    /// Waits for flips; `None` if there will never be any, because all wait or the run is over. `worthwhile` tells whether the last ones were more work to go on from than to get to.
    pub(crate) fn fetch(&self, worthwhile: bool) -> Option<Vec<Parcel>> {
        let mut desk = self.lock();
        // A long chain of decisions with nothing beside it is for one worker alone: whoever gets a flip of it runs the whole chain to make one step.
        let stock = self.stock.load(Ordering::Relaxed);
        let stock = if worthwhile { (stock / 2).max(LEAST_STOCK) } else { (stock * 2).min(MOST_STOCK) };
        self.stock.store(stock, Ordering::Relaxed);
        desk.waiting += 1;
        self.wait(desk)
    }

    /// As [`Exchange::fetch`], for a worker that counts as waiting from the beginning.
    pub(crate) fn fetch_first(&self) -> Option<Vec<Parcel>> {
        self.wait(self.lock())
    }

    fn wait(&self, mut desk: MutexGuard<'_, Desk>) -> Option<Vec<Parcel>> {
        loop {
            if let Some(batch) = desk.batches.pop_front() {
                desk.waiting -= 1;
                self.update(&desk);
                return Some(batch);
            }
            if desk.waiting == desk.workers {
                desk.closed = true;
                self.change.notify_all();
            }
            if desk.closed {
                return None;
            }
            self.update(&desk);
            desk = self.change.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A worker that counts as waiting from the beginning never comes.
    pub(crate) fn leave(&self) {
        let mut desk = self.lock();
        desk.workers -= 1;
        desk.waiting -= 1;
        self.update(&desk);
    }

    /// A worker stops: the others get nothing from it any more. Gives back what nobody has fetched.
    pub(crate) fn close(&self) -> Vec<Parcel> {
        let mut desk = self.lock();
        desk.closed = true;
        self.update(&desk);
        self.change.notify_all();
        desk.batches.drain(..).flatten().collect()
    }

    fn update(&self, desk: &Desk) {
        self.wanted.store(!desk.closed && desk.waiting > desk.batches.len(), Ordering::Relaxed);
    }

    /// A worker that panics holds no half-done change: its panic is what the run ends with, not the mutex.
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcels(count: u64) -> Vec<Parcel> {
        let parcel = |parent| Parcel {
            input: Arc::from([]),
            parent,
            key: ChoiceKey::Side(false),
            exclusions: Vec::new(),
            summary: Summary::unknown(),
            stack: Vec::new(),
        };
        (0..count).map(parcel).collect()
    }

    #[test]
    fn one_worker_is_done_when_it_asks() {
        let exchange = Exchange::new(1);
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(|| unreachable!("nobody waits"));
        assert!(exchange.fetch(true).is_none());
    }

    #[test]
    fn nothing_is_given_to_those_who_do_not_wait() {
        let exchange = Exchange::new(2);
        assert!(exchange.wants_flips(usize::MAX));
        exchange.give(|| parcels(3));
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(|| unreachable!("there is a batch for the one who waits"));
        assert_eq!(exchange.fetch_first().map(|batch| batch.len()), Some(3));
        assert!(!exchange.wants_flips(usize::MAX));
    }

    #[test]
    fn what_was_not_fetched_comes_back() {
        let exchange = Exchange::new(3);
        exchange.give(|| parcels(3));
        exchange.give(|| parcels(2));
        assert_eq!(exchange.close().len(), 5);
        assert!(exchange.close().is_empty() && exchange.fetch_first().is_none());
        exchange.give(|| unreachable!("it is closed"));
    }

    /// Workers that give half of what they have to whoever waits: each parcel arrives once, and all workers come to an end.
    #[test]
    fn every_parcel_arrives() {
        for workers in [2, 3, 8] {
            let exchange = Exchange::new(workers);
            let work = |batch: Option<Vec<Parcel>>| {
                let Some(mut mine) = batch else { return 0 };
                let mut done = 0;
                loop {
                    if exchange.wants_flips(usize::MAX) && mine.len() > 1 {
                        let half = mine.len() / 2;
                        exchange.give(|| mine.split_off(half));
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
                let mine = work(Some(parcels(10_000)));
                mine + others.into_iter().map(|other| other.join().unwrap()).sum::<u64>()
            });
            assert_eq!(done, 10_000, "{workers} workers");
        }
    }
}
