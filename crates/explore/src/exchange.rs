//! How workers share flips.
//!
//! A worker that has run out of flips gets some that another one has found, and nothing else: no expression and no
//! state is ever shared. Flips are given away only while a worker waits for them, which busy workers learn by reading
//! one number. Where somebody wants to know what became of a flip, that is reported back.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::loan::{CalledBack, Returned};
use crate::pending::PendingItem;
use crate::portable::PortableFlip;
use crate::remote::Remote;
use crate::tuning::Tuning;

/// Passes flips between workers, which are numbered from 0.
pub trait Exchange: Sync {
    /// Whether a worker with this many pending flips should give some away. It is called very often.
    fn wants_flips(&self, pending: usize) -> bool;

    /// Gives away the flips that `pack` returns for whoever wants them, if any, unless another worker was quicker.
    fn give(&self, pack: &mut dyn FnMut(Receiver) -> Vec<PortableFlip>);

    /// Waits for flips, or for what became of flips that the worker gave away.
    fn fetch(&self, fetching: Fetching) -> Fetched;

    /// As [`Exchange::fetch`], for a worker that counts as waiting from the start.
    fn fetch_first(&self, worker: usize) -> Fetched;

    /// A worker that counts as waiting from the start will never fetch.
    fn leave(&self);

    /// Reports to another worker what became of one of its flips.
    fn give_back(&self, returned: Returned);

    /// Whether there are reports for a worker. It is called very often.
    fn has_returned(&self, worker: usize) -> bool;

    /// The reports for a worker.
    fn take_returned(&self, worker: usize) -> Vec<Returned>;

    /// Tells all workers that a flip need not be explored any more.
    fn call_back(&self, called_back: CalledBack);

    /// The flips that were called back after the first `seen`, which becomes the number of all. It is called very
    /// often.
    fn called_back(&self, seen: &mut usize) -> Vec<CalledBack>;

    /// A worker stops, and nothing is exchanged any more. Returns the flips that were not fetched.
    fn close(&self) -> Vec<PortableFlip>;
}

/// Who gets flips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// Another worker of this process.
    Worker,
    /// Another process.
    Process,
}

/// A worker that waits.
#[derive(Clone, Copy)]
pub struct Fetching {
    /// Its number.
    pub worker: usize,
    /// Whether exploring from the last flips took at least as much work as getting to them.
    pub worthwhile: bool,
    /// It has paths that it may let go on once nobody has anything else to do.
    pub has_suspended: bool,
}

/// What a worker has waited for.
pub enum Fetched {
    /// Flips of another worker.
    Flips(Vec<PortableFlip>),
    /// Something pending of another process.
    Items(Vec<PendingItem>),
    /// What became of flips that it gave away.
    Returned(Vec<Returned>),
    /// Nobody has anything else to do: its suspended paths may go on.
    Idle,
    /// There will never be anything: nobody has anything to do, or the run is over.
    Over,
}

/// An exchange between the threads of one process.
pub(crate) struct Queue {
    /// Whether a worker waits for which there is no batch yet.
    wanted: AtomicBool,
    /// How many pending flips a worker needs before it gives some away.
    threshold: AtomicUsize,
    /// Between which numbers that one stays.
    least_threshold: usize,
    most_threshold: usize,
    /// How many flips were called back.
    called_back: AtomicUsize,
    /// Whether there are reports, for each worker.
    has_returned: Vec<AtomicBool>,
    state: Mutex<ExchangeState>,
    change: Condvar,
    /// Other processes, if there are any.
    remote: Option<Arc<dyn Remote>>,
    /// How many pending flips a worker needs before it gives some to another process.
    remote_threshold: usize,
}

struct ExchangeState {
    /// Each batch is for one worker.
    batches: VecDeque<Vec<PortableFlip>>,
    /// What became of the flips of each worker.
    returned: Vec<Vec<Returned>>,
    called_back: Vec<CalledBack>,
    workers: usize,
    waiting: usize,
    /// How many of those that wait have suspended paths.
    suspended: usize,
    /// Whether a worker waits for other processes.
    asks_remote: bool,
    /// Whether the run is over.
    closed: bool,
}

impl ExchangeState {
    fn all_wait(&self) -> bool {
        self.waiting == self.workers && self.batches.is_empty() && self.returned.iter().all(Vec::is_empty)
    }
}

impl Queue {
    /// For a first worker, which has flips or is about to find some, and others that wait from the start.
    pub(crate) fn new(workers: usize, remote: Option<Arc<dyn Remote>>, tuning: &Tuning) -> Queue {
        let waiting = workers.saturating_sub(1);
        let returned = (0..workers).map(|_| Vec::new()).collect();
        Queue {
            wanted: AtomicBool::new(waiting > 0),
            threshold: AtomicUsize::new(tuning.exchange_least),
            least_threshold: tuning.exchange_least,
            most_threshold: tuning.exchange_most,
            called_back: AtomicUsize::new(0),
            has_returned: (0..workers).map(|_| AtomicBool::new(false)).collect(),
            state: Mutex::new(ExchangeState {
                batches: VecDeque::new(),
                returned,
                called_back: Vec::new(),
                workers,
                waiting,
                suspended: 0,
                asks_remote: false,
                closed: false,
            }),
            change: Condvar::new(),
            remote,
            remote_threshold: tuning.exchange_remote_least,
        }
    }

    /// A worker that was waiting from the start has no machine yet: it leaves other processes to those that have one.
    fn wait<'a>(&'a self, mut state: MutexGuard<'a, ExchangeState>, fetching: Fetching, is_first: bool) -> Fetched {
        let Fetching { worker, has_suspended, .. } = fetching;
        state.suspended += usize::from(has_suspended);
        let mut is_new = true;
        let fetched = loop {
            if state.closed {
                break Fetched::Over;
            }
            let returned = self.returned_to(&mut state, worker);
            if !returned.is_empty() {
                break Fetched::Returned(returned);
            }
            if let Some(batch) = state.batches.pop_front() {
                break Fetched::Flips(batch);
            }
            if state.all_wait() {
                if has_suspended {
                    break Fetched::Idle;
                }
                let remote = self.remote.as_ref().filter(|_| state.suspended == 0);
                if let Some(remote) = remote.filter(|_| !is_first && !state.asks_remote) {
                    state.asks_remote = true;
                    drop(state);
                    let items = remote.fetch();
                    state = self.lock();
                    state.asks_remote = false;
                    if let Some(items) = items {
                        break Fetched::Items(items);
                    }
                    state.closed = true;
                } else if remote.is_none() {
                    state.closed = state.suspended == 0;
                }
                if state.closed || is_new {
                    self.change.notify_all();
                }
                if state.closed {
                    break Fetched::Over;
                }
            }
            is_new = false;
            self.update(&state);
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.suspended -= usize::from(has_suspended);
        state.waiting -= usize::from(!state.closed);
        self.update(&state);
        fetched
    }

    fn returned_to(&self, state: &mut ExchangeState, worker: usize) -> Vec<Returned> {
        if let Some(flag) = self.has_returned.get(worker) {
            flag.store(false, Ordering::Relaxed);
        }
        state.returned.get_mut(worker).map(std::mem::take).unwrap_or_default()
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
            || pending >= self.remote_threshold && self.remote.as_ref().is_some_and(|remote| remote.wants_flips())
    }

    fn give(&self, pack: &mut dyn FnMut(Receiver) -> Vec<PortableFlip>) {
        let mut state = self.lock();
        if state.closed {
            return;
        }
        if state.waiting <= state.batches.len() {
            drop(state);
            if let Some(remote) = self.remote.as_ref().filter(|remote| remote.wants_flips()) {
                let batch = pack(Receiver::Process);
                if !batch.is_empty() {
                    remote.give(batch);
                }
            }
            return;
        }
        let batch = pack(Receiver::Worker);
        if batch.is_empty() {
            return;
        }
        state.batches.push_back(batch);
        self.update(&state);
        drop(state);
        self.change.notify_one();
    }

    fn fetch(&self, fetching: Fetching) -> Fetched {
        let worthwhile = fetching.worthwhile;
        let mut state = self.lock();
        // A long chain of decisions whose alternatives lead nowhere is best left to one worker: any other would run the
        // whole chain to take one step. So the threshold rises while fetched flips are not worth their replay.
        let threshold = self.threshold.load(Ordering::Relaxed);
        let threshold = if worthwhile {
            (threshold / 2).max(self.least_threshold)
        } else {
            threshold.saturating_mul(2).min(self.most_threshold)
        };
        self.threshold.store(threshold, Ordering::Relaxed);
        state.waiting += 1;
        self.wait(state, fetching, false)
    }

    fn fetch_first(&self, worker: usize) -> Fetched {
        let fetching = Fetching { worker, worthwhile: true, has_suspended: false };
        self.wait(self.lock(), fetching, true)
    }

    fn leave(&self) {
        let mut state = self.lock();
        state.workers -= 1;
        state.waiting -= 1;
        self.update(&state);
    }

    fn give_back(&self, returned: Returned) {
        let worker = returned.loan.worker;
        let mut state = self.lock();
        if let (Some(reports), Some(flag)) = (state.returned.get_mut(worker), self.has_returned.get(worker)) {
            reports.push(returned);
            flag.store(true, Ordering::Relaxed);
        }
        drop(state);
        // The worker that it is for may be any of those that wait.
        self.change.notify_all();
    }

    #[inline]
    fn has_returned(&self, worker: usize) -> bool {
        self.has_returned.get(worker).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    fn take_returned(&self, worker: usize) -> Vec<Returned> {
        self.returned_to(&mut self.lock(), worker)
    }

    fn call_back(&self, called_back: CalledBack) {
        let mut state = self.lock();
        for batch in &mut state.batches {
            batch.retain(|flip| flip.loan != Some(called_back.loan));
        }
        state.batches.retain(|batch| !batch.is_empty());
        self.update(&state);
        state.called_back.push(called_back);
        self.called_back.store(state.called_back.len(), Ordering::Relaxed);
    }

    #[inline]
    fn called_back(&self, seen: &mut usize) -> Vec<CalledBack> {
        if self.called_back.load(Ordering::Relaxed) == *seen {
            return Vec::new();
        }
        let state = self.lock();
        let new = state.called_back.get(*seen..).unwrap_or_default().to_vec();
        *seen = state.called_back.len();
        new
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
            loan: None,
        };
        (0..count).map(flip).collect()
    }

    fn waiting(worker: usize, has_suspended: bool) -> Fetching {
        Fetching { worker, worthwhile: true, has_suspended }
    }

    /// A worker that waits gets what became of its flips first; when all wait, the one whose paths are suspended goes
    /// on, and only when there is none is the run over.
    #[test]
    fn suspended_paths_go_on_when_all_else_is_done() {
        let exchange = Queue::new(2, None, &Tuning::default());
        let loan = crate::loan::Loan { worker: 0, number: 7 };
        exchange.give_back(Returned { loan, closed: crate::tree::Closed::Explored, account: None });
        assert!(exchange.has_returned(0) && !exchange.has_returned(1));
        let fetched = exchange.fetch(waiting(0, true));
        assert!(matches!(fetched, Fetched::Returned(returned) if returned.len() == 1 && returned[0].loan == loan));
        assert!(matches!(exchange.fetch(waiting(0, true)), Fetched::Idle), "the other waits from the start");
        assert!(matches!(exchange.fetch(waiting(0, false)), Fetched::Over));
        assert!(matches!(exchange.fetch_first(1), Fetched::Over));
    }

    /// A flip that is called back is not fetched any more, and every worker learns of it once.
    #[test]
    fn flips_are_called_back() {
        let exchange = Queue::new(2, None, &Tuning::default());
        let loan = |number| crate::loan::Loan { worker: 0, number };
        exchange.give(&mut |_| {
            (0..3).zip(flips(3)).map(|(number, flip)| PortableFlip { loan: Some(loan(number)), ..flip }).collect()
        });
        let cover = crate::subsumption::Cover { path: 1, depth: 2, text: None };
        exchange.call_back(CalledBack { loan: loan(1), cover });
        let mut seen = 0;
        assert_eq!(exchange.called_back(&mut seen).iter().map(|one| one.loan).collect::<Vec<_>>(), [loan(1)]);
        assert!(exchange.called_back(&mut seen).is_empty());
        let Fetched::Flips(batch) = exchange.fetch_first(1) else { panic!("there are flips") };
        assert_eq!(batch.iter().map(|flip| flip.loan).collect::<Vec<_>>(), [Some(loan(0)), Some(loan(2))]);
    }

    /// Another process, which has something to do once.
    #[derive(Default)]
    struct OtherProcess {
        wants: AtomicBool,
        has: AtomicBool,
        given: Mutex<Vec<PortableFlip>>,
    }

    impl Remote for OtherProcess {
        fn wants_flips(&self) -> bool {
            self.wants.load(Ordering::Relaxed)
        }

        fn give(&self, flips: Vec<PortableFlip>) {
            self.wants.store(false, Ordering::Relaxed);
            self.given.lock().unwrap().extend(flips);
        }

        fn fetch(&self) -> Option<Vec<PendingItem>> {
            self.has.swap(false, Ordering::Relaxed).then(|| flips(2).into_iter().map(PendingItem::Flip).collect())
        }
    }

    /// Another process gets flips when it wants some and no worker here does, and is asked when all wait.
    #[test]
    fn other_processes_give_and_take() {
        let process = Arc::new(OtherProcess::default());
        let exchange = Queue::new(2, Some(Arc::clone(&process) as Arc<dyn Remote>), &Tuning::default());
        process.wants.store(true, Ordering::Relaxed);
        exchange.give(&mut |receiver| if receiver == Receiver::Worker { flips(1) } else { unreachable!() });
        let Fetched::Flips(batch) = exchange.fetch_first(1) else { panic!("a worker comes first") };
        assert_eq!(batch.len(), 1);
        assert!(exchange.wants_flips(usize::MAX) && !exchange.wants_flips(2));
        exchange.give(&mut |receiver| if receiver == Receiver::Process { flips(3) } else { unreachable!() });
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut |_| unreachable!("nobody wants any"));
        assert_eq!(process.given.lock().unwrap().len(), 3);
        process.has.store(true, Ordering::Relaxed);
        let exchange = &exchange;
        let work = move |worker| {
            let mut items = 0;
            while let Fetched::Items(more) = exchange.fetch(waiting(worker, false)) {
                items += more.len();
            }
            items
        };
        let items: usize = std::thread::scope(|scope| {
            let other = scope.spawn(move || work(1));
            work(0) + other.join().unwrap()
        });
        assert_eq!(items, 2);
        assert!(matches!(exchange.fetch(waiting(0, false)), Fetched::Over));
    }

    #[test]
    fn a_single_worker_gets_no_flips() {
        let exchange = Queue::new(1, None, &Tuning::default());
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut |_| unreachable!("no worker waits"));
        assert!(matches!(exchange.fetch(waiting(0, false)), Fetched::Over));
    }

    #[test]
    fn flips_are_given_only_to_waiting_workers() {
        let exchange = Queue::new(2, None, &Tuning::default());
        assert!(exchange.wants_flips(usize::MAX));
        exchange.give(&mut |_| flips(3));
        assert!(!exchange.wants_flips(usize::MAX));
        exchange.give(&mut |_| unreachable!("the waiting worker has a batch"));
        assert!(matches!(exchange.fetch_first(1), Fetched::Flips(batch) if batch.len() == 3));
        assert!(!exchange.wants_flips(usize::MAX));
    }

    #[test]
    fn close_returns_what_was_not_fetched() {
        let exchange = Queue::new(3, None, &Tuning::default());
        exchange.give(&mut |_| flips(3));
        exchange.give(&mut |_| flips(2));
        assert_eq!(exchange.close().len(), 5);
        assert!(exchange.close().is_empty() && matches!(exchange.fetch_first(1), Fetched::Over));
        exchange.give(&mut |_| unreachable!("it is closed"));
    }

    /// Workers give half of their flips to whichever worker waits: each flip arrives once, and all workers terminate.
    #[test]
    fn every_flip_arrives_once() {
        for workers in [2, 3, 8] {
            let exchange = &Queue::new(workers, None, &Tuning::default());
            let work = move |worker: usize, fetched: Fetched| {
                let Fetched::Flips(mut mine) = fetched else { return 0 };
                let mut done = 0;
                loop {
                    if exchange.wants_flips(usize::MAX) && mine.len() > 1 {
                        let half = mine.len() / 2;
                        exchange.give(&mut |_| mine.split_off(half));
                    }
                    match mine.pop() {
                        Some(_) => done += 1,
                        None => match exchange.fetch(waiting(worker, false)) {
                            Fetched::Flips(batch) => mine = batch,
                            _ => return done,
                        },
                    }
                }
            };
            let done: u64 = std::thread::scope(|scope| {
                let other = |worker| scope.spawn(move || work(worker, exchange.fetch_first(worker)));
                let others: Vec<_> = (1..workers).map(other).collect();
                let mine = work(0, Fetched::Flips(flips(10_000)));
                mine + others.into_iter().map(|other| other.join().unwrap()).sum::<u64>()
            });
            assert_eq!(done, 10_000, "{workers} workers");
        }
    }
}
