//! The watchdog: enforces the limits of a run for all workers.
//!
//! A thread of its own checks the clock and the memory every few milliseconds. Workers then only read a number at every
//! decision, and the machine a flag before anything that may take long, so limits hold whatever the program does.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use secateur_solver::Deadline;

use crate::limits::{Limits, StopReason, resident_memory};
use crate::rounds::RoundLength;

/// How often limits are checked. A program fills about ten megabytes in this time. This is a constant because it
/// affects only when limits are noticed.
const INTERVAL: Duration = Duration::from_millis(5);

/// After how many measurements freed memory has surely been returned to the system. This is a constant because it
/// belongs to the interval, and affects only when that memory is noticed.
const SETTLING_MEASUREMENTS: u64 = 6;

/// The limits of a run and what is known about them.
pub(crate) struct Watchdog {
    limits: Limits,
    grace: Duration,
    /// How long the round is, if the run has rounds.
    round: Option<RoundLength>,
    started: Instant,
    interrupted: Arc<AtomicBool>,
    /// How many paths had started before, in an earlier round or run.
    paths_before: u64,
    /// How many paths have started, those before included.
    paths: AtomicU64,
    /// Why the run stops: 1 plus an index into [`REASONS`], or 0 if it does not.
    reason: AtomicU8,
    /// Set when it stops, for questions to the solver.
    stopping: Arc<AtomicBool>,
    /// The [`Pressure`] as a number, and how often it was measured.
    memory: AtomicU8,
    measured: AtomicU64,
    /// The resident memory at the last measurement.
    used: AtomicU64,
    /// Set when the grace period is over, for questions to the solver.
    grace_over: Arc<AtomicBool>,
    /// While this is set, machines pause before anything that may take long.
    halt: Arc<AtomicBool>,
    /// The same, but not if all that exists can be rebuilt within the limits.
    end: Arc<AtomicBool>,
    /// When the grace period ends; set once a limit is hit.
    grace_ends: Mutex<Option<Instant>>,
    finished: Mutex<bool>,
    finish: Condvar,
}

/// How the memory in use compares with its limits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Pressure {
    /// Below both limits.
    None,
    /// Above the limit for snapshots: they are dropped.
    Soft,
    /// Above the limit for the process: whatever takes memory must stop, unless it rebuilds what existed before.
    Hard,
    /// Above the limit for rebuilding, too.
    Exceeded,
}

impl Watchdog {
    pub(crate) fn new(limits: Limits, grace: Duration, interrupted: Arc<AtomicBool>) -> Watchdog {
        Watchdog {
            limits,
            grace,
            round: None,
            started: Instant::now(),
            interrupted,
            paths_before: 0,
            paths: AtomicU64::new(0),
            reason: AtomicU8::new(0),
            stopping: Arc::default(),
            memory: AtomicU8::new(0),
            measured: AtomicU64::new(0),
            used: AtomicU64::new(0),
            grace_over: Arc::default(),
            halt: Arc::default(),
            end: Arc::default(),
            grace_ends: Mutex::new(None),
            finished: Mutex::new(false),
            finish: Condvar::new(),
        }
    }

    /// The same for a round of a run in which this many paths have started.
    pub(crate) fn of_round(self, length: RoundLength, paths: u64) -> Watchdog {
        Watchdog { round: Some(length), ..self.after(paths) }
    }

    /// How many paths have started.
    pub(crate) fn paths(&self) -> u64 {
        self.paths.load(Ordering::Relaxed)
    }

    /// How long the round is, if the run has rounds.
    pub(crate) fn round(&self) -> Option<RoundLength> {
        self.round
    }

    fn is_round_over(&self) -> bool {
        match self.round {
            Some(RoundLength::Time(time)) => self.started.elapsed() >= time,
            Some(RoundLength::Paths(most)) => self.paths() - self.paths_before >= most,
            None => false,
        }
    }

    /// Continues a run in which this many paths have started. Limits count from here.
    pub(crate) fn after(self, paths: u64) -> Watchdog {
        let limits = Limits { paths: self.limits.paths.map(|limit| limit.saturating_add(paths)), ..self.limits };
        Watchdog { paths_before: paths, paths: AtomicU64::new(paths), limits, ..self }
    }

    /// Checks the limits until [`Watchdog::finish`] is called.
    pub(crate) fn run(&self) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        while !*finished {
            self.check();
            let waited = self.finish.wait_timeout(finished, INTERVAL).unwrap_or_else(PoisonError::into_inner);
            finished = waited.0;
        }
    }

    /// Ends [`Watchdog::run`].
    pub(crate) fn finish(&self) {
        *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.finish.notify_all();
    }

    /// Checks the clock, the memory and the interrupt flag once.
    pub(crate) fn check(&self) {
        let pressure = self.measure();
        self.memory.store(pressure as u8, Ordering::Relaxed);
        self.measured.fetch_add(1, Ordering::Relaxed);
        if self.reason.load(Ordering::Relaxed) == 0 {
            if self.interrupted.load(Ordering::Relaxed) {
                self.stop_for(StopReason::Interrupted);
            } else if self.limits.time.is_some_and(|limit| self.started.elapsed() >= limit) {
                self.stop_for(StopReason::Time);
            }
        }
        let stop = self.immediate_stop().is_some();
        let over = stop && self.is_grace_over();
        self.grace_over.store(over, Ordering::Relaxed);
        self.end.store(over || (!stop && pressure == Pressure::Exceeded), Ordering::Relaxed);
        self.halt.store(over || (!stop && pressure >= Pressure::Hard), Ordering::Relaxed);
    }

    fn measure(&self) -> Pressure {
        if [self.limits.memory, self.limits.snapshot_memory, self.limits.rebuild_memory].iter().all(Option::is_none) {
            return Pressure::None;
        }
        let Some(used) = resident_memory() else { return Pressure::None };
        self.used.store(used, Ordering::Relaxed);
        let limits = [
            (self.limits.rebuild_memory, Pressure::Exceeded),
            (self.limits.memory, Pressure::Hard),
            (self.limits.snapshot_memory, Pressure::Soft),
        ];
        let above = limits.into_iter().find(|(limit, _)| limit.is_some_and(|limit| used > limit));
        above.map_or(Pressure::None, |(_, pressure)| pressure)
    }

    /// Stops all workers, for this reason unless there is another one already.
    pub(crate) fn stop_for(&self, reason: StopReason) {
        let mut grace_ends = self.grace_ends.lock().unwrap_or_else(PoisonError::into_inner);
        grace_ends.get_or_insert_with(|| Instant::now() + self.grace);
        let number = REASONS.iter().position(|known| *known == reason).map_or(0, |index| index as u8 + 1);
        let _ = self.reason.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// The flag that machines read before anything that may take long.
    pub(crate) fn halt_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.halt)
    }

    /// The same for replays, which must not be halted as soon as memory is short: they only rebuild what existed
    /// before, and would never finish otherwise.
    pub(crate) fn end_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.end)
    }

    /// Starts a path and returns its number, from 1, or `None` if the path limit is reached. Paths in the grace period
    /// do not count towards the limit.
    pub(crate) fn start_path(&self, late: bool) -> Option<u64> {
        let most = self.limits.paths.filter(|_| !late).unwrap_or(u64::MAX);
        let next = |paths: u64| (paths == self.paths_before || paths < most).then_some(paths + 1);
        self.paths.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok().map(|before| before + 1)
    }

    /// The limit because of which no further path starts, if any.
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        let enough = |limit| self.paths.load(Ordering::Relaxed) >= limit;
        let paths = || self.limits.paths.is_some_and(enough).then_some(StopReason::Paths);
        self.immediate_stop().or_else(paths).or_else(|| self.is_round_over().then_some(StopReason::Round))
    }

    /// The limit because of which even running paths stop, if any.
    #[inline]
    pub(crate) fn immediate_stop(&self) -> Option<StopReason> {
        match self.reason.load(Ordering::Relaxed) {
            0 => None,
            number => REASONS.get(usize::from(number) - 1).copied(),
        }
    }

    /// Whether there is a grace period.
    pub(crate) fn has_grace(&self) -> bool {
        !self.grace.is_zero()
    }

    /// Whether the grace period is over.
    pub(crate) fn is_grace_over(&self) -> bool {
        let grace_ends = self.grace_ends.lock().unwrap_or_else(PoisonError::into_inner);
        grace_ends.is_some_and(|end| Instant::now() >= end)
    }

    /// Stops the run as if the user had interrupted it.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.stop_for(StopReason::Interrupted);
    }

    /// The deadline of the solver during exploration.
    pub(crate) fn search_deadline(&self) -> Deadline {
        let deadline = Deadline::default().unless(Arc::clone(&self.stopping));
        match self.limits.time {
            Some(limit) => deadline.at_most(limit.saturating_sub(self.started.elapsed())),
            None => deadline,
        }
    }

    /// The deadline of the solver in the grace period.
    pub(crate) fn grace_deadline(&self) -> Deadline {
        let grace_ends = self.grace_ends.lock().unwrap_or_else(PoisonError::into_inner);
        let left = grace_ends.map_or(self.grace, |end| end.saturating_duration_since(Instant::now()));
        Deadline::lasting(left).unless(Arc::clone(&self.grace_over))
    }

    /// How the memory in use compares with its limits.
    #[inline]
    pub(crate) fn pressure(&self) -> Pressure {
        match self.memory.load(Ordering::Relaxed) {
            0 => Pressure::None,
            1 => Pressure::Soft,
            2 => Pressure::Hard,
            _ => Pressure::Exceeded,
        }
    }

    /// The resident memory in bytes at the last measurement.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether this many more bytes may be used.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.limits.memory.is_none_or(|limit| self.used().saturating_add(bytes) <= limit)
    }

    /// The number of the last measurement.
    pub(crate) fn measurement(&self) -> u64 {
        self.measured.load(Ordering::Relaxed)
    }

    /// Whether memory that was freed at a measurement no longer counts as used.
    pub(crate) fn has_settled(&self, since: u64) -> bool {
        self.measurement() >= since + SETTLING_MEASUREMENTS
    }
}

/// The reasons that `reason` encodes.
const REASONS: [StopReason; 6] = [
    StopReason::Time,
    StopReason::Memory,
    StopReason::Interrupted,
    StopReason::Paths,
    StopReason::Bug,
    StopReason::Round,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_and_interrupts_stop_the_run() {
        let watchdog = |limits| Watchdog::new(limits, Duration::ZERO, Arc::default());
        let calm = watchdog(Limits { time: Some(Duration::from_secs(3600)), ..Limits::default() });
        calm.check();
        assert_eq!((calm.immediate_stop(), calm.pressure()), (None, Pressure::None));
        assert!(!calm.halt_flag().load(Ordering::Relaxed));
        calm.interrupt();
        assert_eq!(calm.immediate_stop(), Some(StopReason::Interrupted));
        let late = watchdog(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        late.check();
        assert_eq!(late.immediate_stop(), Some(StopReason::Time));
        assert!(late.halt_flag().load(Ordering::Relaxed), "there is no grace period");
    }

    #[test]
    fn memory_above_its_limits_is_pressure() {
        let pressure = |snapshot_memory, memory| {
            let watchdog =
                Watchdog::new(Limits { snapshot_memory, memory, ..Limits::default() }, Duration::ZERO, Arc::default());
            watchdog.check();
            (watchdog.pressure(), watchdog.halt_flag().load(Ordering::Relaxed))
        };
        assert_eq!(pressure(Some(u64::MAX), Some(u64::MAX)), (Pressure::None, false));
        assert_eq!(pressure(Some(1), None), (Pressure::Soft, false));
        assert_eq!(pressure(Some(1), Some(1)), (Pressure::Hard, true));
        let beyond = Limits { rebuild_memory: Some(1), ..Limits::default() };
        let watchdog = Watchdog::new(beyond, Duration::ZERO, Arc::default());
        watchdog.check();
        assert_eq!((watchdog.pressure(), watchdog.end_flag().load(Ordering::Relaxed)), (Pressure::Exceeded, true));
    }
}
