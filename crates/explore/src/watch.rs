//! Watches the limits of a run, for all its workers.
//!
//! A thread of its own looks at the clock and at the use of memory every few milliseconds. To workers a limit is then a number that they can read at every decision, and the machine
//! one that it reads before whatever may take long, so that limits hold whatever the program does.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use secateur_solver::Deadline;

use crate::limits::{Limits, StopReason, resident_memory};

/// How often limits are looked at. A program fills about ten megabytes in this time.
const INTERVAL: Duration = Duration::from_millis(5);

/// How many measurements later freed memory is surely given back to the system.
const SETTLED: u64 = 6;

/// What all workers ask.
pub(crate) struct Watch {
    limits: Limits,
    grace: Duration,
    started: Instant,
    interrupted: Arc<AtomicBool>,
    /// How many paths have started.
    paths: AtomicU64,
    /// Why the run stops, as a number; 0 if it does not.
    reason: AtomicU8,
    /// How use of memory compares with its limits, and how often it was measured.
    memory: AtomicU8,
    measured: AtomicU64,
    /// How many bytes were in use then.
    used: AtomicU64,
    /// Machines pause where something may take long while this is set.
    halt: Arc<AtomicBool>,
    /// The same, but for the end of the run only.
    end: Arc<AtomicBool>,
    /// When use is no longer made of what is pending; set once a limit is hit.
    grace_ends: Mutex<Option<Instant>>,
    finished: Mutex<bool>,
    finish: Condvar,
}

/// How the use of memory compares with its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pressure {
    /// All is well.
    None,
    /// Snapshots must go.
    Snapshots,
    /// Whatever takes memory must end.
    Everything,
}

impl Watch {
    pub(crate) fn new(limits: Limits, grace: Duration, interrupted: Arc<AtomicBool>) -> Watch {
        Watch {
            limits,
            grace,
            started: Instant::now(),
            interrupted,
            paths: AtomicU64::new(0),
            reason: AtomicU8::new(0),
            memory: AtomicU8::new(0),
            measured: AtomicU64::new(0),
            used: AtomicU64::new(0),
            halt: Arc::default(),
            end: Arc::default(),
            grace_ends: Mutex::new(None),
            finished: Mutex::new(false),
            finish: Condvar::new(),
        }
    }

    /// Looks at the limits until [`Watch::finish`] is called.
    pub(crate) fn keep(&self) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        while !*finished {
            self.look();
            let waited = self.finish.wait_timeout(finished, INTERVAL).unwrap_or_else(PoisonError::into_inner);
            finished = waited.0;
        }
    }

    /// The run is over.
    pub(crate) fn finish(&self) {
        *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.finish.notify_all();
    }

    /// Looks at clock, memory and the user once.
    pub(crate) fn look(&self) {
        let pressure = self.measure();
        self.memory.store(pressure as u8, Ordering::Relaxed);
        self.measured.fetch_add(1, Ordering::Relaxed);
        if self.reason.load(Ordering::Relaxed) == 0 {
            if self.interrupted.load(Ordering::Relaxed) {
                self.stop_because(StopReason::Interrupted);
            } else if self.limits.time.is_some_and(|limit| self.started.elapsed() >= limit) {
                self.stop_because(StopReason::Time);
            }
        }
        let stop = self.stop_at_once().is_some();
        let over = stop && self.is_grace_over();
        self.end.store(over, Ordering::Relaxed);
        self.halt.store(over || (!stop && pressure == Pressure::Everything), Ordering::Relaxed);
    }

    fn measure(&self) -> Pressure {
        if self.limits.memory.is_none() && self.limits.snapshot_memory.is_none() {
            return Pressure::None;
        }
        let Some(used) = resident_memory() else { return Pressure::None };
        self.used.store(used, Ordering::Relaxed);
        let above = |limit: Option<u64>| limit.is_some_and(|limit| used > limit);
        match (above(self.limits.memory), above(self.limits.snapshot_memory)) {
            (true, _) => Pressure::Everything,
            (false, true) => Pressure::Snapshots,
            (false, false) => Pressure::None,
        }
    }

    /// All workers stop for this reason, unless there is another one already.
    pub(crate) fn stop_because(&self, reason: StopReason) {
        let mut grace_ends = self.grace_ends.lock().unwrap_or_else(PoisonError::into_inner);
        grace_ends.get_or_insert_with(|| Instant::now() + self.grace);
        let number = REASONS.iter().position(|known| *known == reason).map_or(0, |index| index as u8 + 1);
        let _ = self.reason.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// What machines look at before whatever may take long.
    pub(crate) fn halt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.halt)
    }

    /// The same for whatever only makes again what there has been: it must not stop because memory is short, or it would never come to an end.
    pub(crate) fn end(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.end)
    }

    /// A path starts; gives its number, the first is 1. `None` if there are as many as may be. A path that makes use of what is pending in the end counts for no limit.
    pub(crate) fn start_path(&self, late: bool) -> Option<u64> {
        let most = self.limits.paths.filter(|_| !late).unwrap_or(u64::MAX);
        let next = |paths: u64| (paths == 0 || paths < most).then_some(paths + 1);
        self.paths.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok().map(|before| before + 1)
    }

    /// The limit because of which no further path shall start, if any.
    pub(crate) fn stop(&self) -> Option<StopReason> {
        let enough = |limit| self.paths.load(Ordering::Relaxed) >= limit;
        self.stop_at_once().or_else(|| self.limits.paths.is_some_and(enough).then_some(StopReason::Paths))
    }

    /// The limit because of which even paths under way stop, if any.
    #[inline]
    pub(crate) fn stop_at_once(&self) -> Option<StopReason> {
        match self.reason.load(Ordering::Relaxed) {
            0 => None,
            number => REASONS.get(usize::from(number) - 1).copied(),
        }
    }

    /// Pending flips shall be made use of once a limit is hit.
    pub(crate) fn has_grace(&self) -> bool {
        !self.grace.is_zero()
    }

    /// Pending flips shall no longer be made use of.
    pub(crate) fn is_grace_over(&self) -> bool {
        let grace_ends = self.grace_ends.lock().unwrap_or_else(PoisonError::into_inner);
        grace_ends.is_some_and(|end| Instant::now() >= end)
    }

    /// The run cannot go on, as if the user had asked for its end.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.stop_because(StopReason::Interrupted);
    }

    /// How long the solver may go on.
    pub(crate) fn patience(&self) -> Deadline {
        let patience = Deadline::default().unless(Arc::clone(&self.interrupted));
        match self.limits.time {
            Some(limit) => patience.at_most(limit.saturating_sub(self.started.elapsed())),
            None => patience,
        }
    }

    /// How long the solver may go on once a limit is hit.
    pub(crate) fn grace(&self) -> Deadline {
        let grace_ends = self.grace_ends.lock().unwrap_or_else(PoisonError::into_inner);
        Deadline::lasting(grace_ends.map_or(self.grace, |end| end.saturating_duration_since(Instant::now())))
    }

    /// How the use of memory compares with its limits.
    #[inline]
    pub(crate) fn pressure(&self) -> Pressure {
        match self.memory.load(Ordering::Relaxed) {
            0 => Pressure::None,
            1 => Pressure::Snapshots,
            _ => Pressure::Everything,
        }
    }

    /// So many bytes more may be used.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.limits.memory.is_none_or(|limit| self.used.load(Ordering::Relaxed).saturating_add(bytes) <= limit)
    }

    /// The number of the last measurement.
    pub(crate) fn measurement(&self) -> u64 {
        self.measured.load(Ordering::Relaxed)
    }

    /// What was freed at a measurement is no longer counted as used.
    pub(crate) fn has_settled(&self, since: u64) -> bool {
        self.measurement() >= since + SETTLED
    }
}

/// Reasons that a limit can give, by number.
const REASONS: [StopReason; 4] = [StopReason::Time, StopReason::Memory, StopReason::Interrupted, StopReason::Paths];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_time_and_the_user() {
        let watch = |limits| Watch::new(limits, Duration::ZERO, Arc::default());
        let calm = watch(Limits { time: Some(Duration::from_secs(3600)), ..Limits::default() });
        calm.look();
        assert_eq!((calm.stop_at_once(), calm.pressure()), (None, Pressure::None));
        assert!(!calm.halt().load(Ordering::Relaxed));
        calm.interrupt();
        assert_eq!(calm.stop_at_once(), Some(StopReason::Interrupted));
        let late = watch(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        late.look();
        assert_eq!(late.stop_at_once(), Some(StopReason::Time));
        assert!(late.halt().load(Ordering::Relaxed), "there is no time of grace");
    }

    #[test]
    fn measures_memory() {
        let pressure = |snapshot_memory, memory| {
            let watch =
                Watch::new(Limits { snapshot_memory, memory, ..Limits::default() }, Duration::ZERO, Arc::default());
            watch.look();
            (watch.pressure(), watch.halt().load(Ordering::Relaxed))
        };
        assert_eq!(pressure(Some(u64::MAX), Some(u64::MAX)), (Pressure::None, false));
        assert_eq!(pressure(Some(1), None), (Pressure::Snapshots, false));
        assert_eq!(pressure(Some(1), Some(1)), (Pressure::Everything, true));
    }
}
