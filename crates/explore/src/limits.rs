//! When a run stops, and why.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use secateur_solver::Patience;

/// Limits of a whole run; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Paths that end, whichever way.
    pub paths: Option<u64>,
    /// Resident memory in bytes, above which snapshots are dropped; they are re-created by running from the start.
    pub memory: Option<u64>,
}

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Nothing is pending.
    Finished,
    /// The time is over.
    Time,
    /// Enough paths.
    Paths,
    /// The user asked for it.
    Interrupted,
}

impl StopReason {
    /// The word for it in the summary.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Finished => "finished",
            StopReason::Time => "time limit",
            StopReason::Paths => "path limit",
            StopReason::Interrupted => "interrupted",
        }
    }

    /// The sentence for it that people read; `complete` tells whether every path was accounted for.
    pub fn sentence(self, complete: bool) -> &'static str {
        match self {
            StopReason::Finished if complete => "every path was explored",
            StopReason::Finished => "every path was tried, but not all to the end",
            StopReason::Time => "stopped at the time limit",
            StopReason::Paths => "stopped at the limit of paths",
            StopReason::Interrupted => "stopped on request",
        }
    }
}

/// Watches the limits, for all workers of a run.
pub(crate) struct Watch {
    limits: Limits,
    started: Instant,
    interrupted: Arc<AtomicBool>,
    /// How many paths have started.
    paths: AtomicU64,
}

impl Watch {
    pub(crate) fn new(limits: Limits, interrupted: Arc<AtomicBool>) -> Watch {
        Watch { limits, started: Instant::now(), interrupted, paths: AtomicU64::new(0) }
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
    pub(crate) fn stop_at_once(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        self.limits.time.filter(|limit| self.started.elapsed() >= *limit).map(|_| StopReason::Time)
    }

    /// The run cannot go on, as if the user had asked for its end.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// How long the solver may go on.
    pub(crate) fn patience(&self) -> Patience {
        let patience = Patience::default().unless(Arc::clone(&self.interrupted));
        match self.limits.time {
            Some(limit) => patience.at_most(limit.saturating_sub(self.started.elapsed())),
            None => patience,
        }
    }

    /// More memory is in use than allowed.
    pub(crate) fn memory_is_short(&self) -> bool {
        self.limits.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used > limit))
    }
}

/// How much memory the process has in use, in bytes.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The most memory the process has had in use, in bytes.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
