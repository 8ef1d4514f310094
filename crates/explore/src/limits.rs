//! When a run stops, and why. `watch` is who looks at it.

use std::time::Duration;

/// Limits of a whole run; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Paths that end, whichever way.
    pub paths: Option<u64>,
    /// Resident memory in bytes above which snapshots are dropped; they are re-created by running from the start.
    pub snapshot_memory: Option<u64>,
    /// Resident memory in bytes that is not exceeded: a path that takes more ends there, and a run that cannot do with
    /// less stops.
    pub memory: Option<u64>,
}

impl Limits {
    /// Limits that keep a process within `memory` bytes.
    pub fn of_memory(memory: u64) -> Limits {
        // Snapshots are dropped early enough that rebuilding them still fits. The last tenth is for what running paths
        // allocate before they notice the limit.
        Limits { snapshot_memory: Some(memory / 4 * 3), memory: Some(memory / 10 * 9), ..Limits::default() }
    }
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
    /// What is pending alone takes more memory than allowed.
    Memory,
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
            StopReason::Memory => "memory limit",
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
            StopReason::Memory => "stopped at the memory limit",
            StopReason::Interrupted => "stopped on request",
        }
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
