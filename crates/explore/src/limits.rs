//! When a run stops, and why. The watchdog enforces it.

use std::time::Duration;

use crate::tuning::Tuning;

/// Limits of a whole run; `None` is no limit.
///
/// ```
/// use secateur_explore::{Limits, Tuning};
///
/// let limits = Limits { paths: Some(1_000), ..Limits::of_memory(4 << 30, &Tuning::default()) };
/// assert_eq!(limits.snapshot_memory, Some(3 << 30));
/// assert!(limits.memory < Some(4 << 30) && limits.time.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Number of paths, however they end.
    pub paths: Option<u64>,
    /// Resident memory in bytes above which snapshots are dropped; they can be rebuilt by replaying.
    pub snapshot_memory: Option<u64>,
    /// Resident memory in bytes that must not be exceeded: a path that needs more ends, and a run that cannot continue
    /// with less stops.
    pub memory: Option<u64>,
    /// Resident memory in bytes above which not even what existed before is rebuilt.
    pub rebuild_memory: Option<u64>,
}

impl Limits {
    /// Limits that keep a process within `memory` bytes, by the shares of the tuning.
    pub fn of_memory(memory: u64, tuning: &Tuning) -> Limits {
        let share = |share: f64| Some((memory as f64 * share) as u64);
        Limits {
            snapshot_memory: share(tuning.snapshot_share),
            memory: share(tuning.memory_share),
            rebuild_memory: Some(memory),
            ..Limits::default()
        }
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Nothing is pending.
    Finished,
    /// The time limit was hit.
    Time,
    /// The path limit was hit.
    Paths,
    /// Even without snapshots and expressions, more memory is in use than allowed.
    Memory,
    /// The user interrupted it.
    Interrupted,
    /// The subscriber has seen the bug that it was looking for.
    Bug,
    /// A round of the run is over. A run as a whole does not stop for this reason.
    Round,
}

impl StopReason {
    /// Its name in the summary.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Finished => "finished",
            StopReason::Time => "time limit",
            StopReason::Paths => "path limit",
            StopReason::Memory => "memory limit",
            StopReason::Interrupted => "interrupted",
            StopReason::Bug => "bug found",
            StopReason::Round => "end of a round",
        }
    }

    /// Its sentence in the report; `complete` says whether every path was accounted for.
    pub fn sentence(self, complete: bool) -> &'static str {
        match self {
            StopReason::Finished if complete => "every path was explored",
            StopReason::Finished => "every path was tried, but not all to the end",
            StopReason::Time => "stopped at the time limit",
            StopReason::Paths => "stopped at the limit of paths",
            StopReason::Memory => "stopped at the memory limit",
            StopReason::Interrupted => "stopped on request",
            StopReason::Bug => "stopped at a bug",
            StopReason::Round => "stopped at the end of a round",
        }
    }
}

/// The resident memory of the process in bytes.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The peak resident memory of the process in bytes.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
