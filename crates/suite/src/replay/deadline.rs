//! When native runs and compilers are stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A point in time, or the moment at which a flag is set, whichever is first; by default neither.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    flags: Vec<Arc<AtomicBool>>,
}

impl Deadline {
    /// At this time.
    pub fn at(time: Instant) -> Deadline {
        Deadline { at: Some(time), flags: Vec::new() }
    }

    /// As before, or as soon as the flag is set.
    pub fn unless(mut self, flag: Arc<AtomicBool>) -> Deadline {
        self.flags.push(flag);
        self
    }

    /// Whether it has passed.
    pub fn is_over(&self) -> bool {
        self.flags.iter().any(|flag| flag.load(Ordering::Relaxed)) || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// The time until then, if there is a time.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// How long to wait for something else before the next look at the deadline, at most `most`.
    pub(super) fn pause(&self, most: Duration) -> Duration {
        let most = if self.flags.is_empty() { most } else { most.min(FLAG_INTERVAL) };
        self.left().map_or(most, |left| left.min(most))
    }
}

/// How often the flags are read.
const FLAG_INTERVAL: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_time_and_flags_counts() {
        let second = Duration::from_secs(1);
        assert!(!Deadline::default().is_over());
        assert_eq!(Deadline::default().pause(second), second);
        assert!(Deadline::at(Instant::now()).is_over());
        assert_eq!(Deadline::at(Instant::now()).pause(second), Duration::ZERO);
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::at(Instant::now() + 3600 * second).unless(Arc::clone(&flag));
        assert!(!deadline.is_over());
        assert_eq!(deadline.pause(second), FLAG_INTERVAL);
        flag.store(true, Ordering::Relaxed);
        assert!(deadline.is_over());
    }
}
