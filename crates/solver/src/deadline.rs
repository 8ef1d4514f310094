//! When to stop waiting for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::BackendReason;

/// A point in time, an interruption by a flag, or an amount of effort, whichever comes first. The default is none.
#[derive(Clone, Default, Debug)]
pub struct Deadline {
    moment: Option<Instant>,
    interrupted: Option<Arc<AtomicBool>>,
    /// How much effort is left, shared by all copies.
    effort: Option<Arc<AtomicU64>>,
}

impl Deadline {
    /// This long from now.
    pub fn lasting(time: Duration) -> Deadline {
        Deadline::default().at_most(time)
    }

    /// The same, or earlier if the flag is set.
    pub fn unless(mut self, interrupted: Arc<AtomicBool>) -> Deadline {
        self.interrupted = Some(interrupted);
        self
    }

    /// The same, but at most this long from now.
    pub fn at_most(mut self, time: Duration) -> Deadline {
        // A time that the clock cannot hold is no limit.
        if let Some(moment) = Instant::now().checked_add(time) {
            self.moment = Some(self.moment.map_or(moment, |known| known.min(moment)));
        }
        self
    }

    /// The same, but with at most this much effort. A unit is the time in which Bitwuzla makes about ten decisions: it
    /// is counted, so that an answer does not depend on the speed of the machine.
    pub fn with_effort(mut self, effort: u64) -> Deadline {
        self.effort = Some(Arc::new(AtomicU64::new(effort)));
        self
    }

    /// Spends a unit of effort.
    pub(crate) fn spend(&self, effort: u64) {
        if let Some(left) = &self.effort {
            left.store(left.load(Ordering::Relaxed).saturating_sub(effort), Ordering::Relaxed);
        }
    }

    /// How much effort is left; `None` if it is unlimited.
    pub(crate) fn effort_left(&self) -> Option<u64> {
        self.effort.as_ref().map(|left| left.load(Ordering::Relaxed))
    }

    /// The effort is spent.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.effort_left() == Some(0)
    }

    /// Why it is over.
    pub(crate) fn reason(&self) -> BackendReason {
        if self.is_exhausted() { BackendReason::Effort } else { BackendReason::Timeout }
    }

    /// The time is over, the effort is spent, or the flag is set.
    pub fn is_over(&self) -> bool {
        self.is_exhausted() || self.is_interrupted() || self.moment.is_some_and(|moment| Instant::now() >= moment)
    }

    /// The time has been over for longer than this.
    pub(crate) fn is_over_since(&self, time: Duration) -> bool {
        self.moment.is_some_and(|moment| Instant::now().saturating_duration_since(moment) > time)
    }

    /// How much time is left, whether or not the flag is set; `None` if it is unlimited.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.moment.map(|moment| moment.saturating_duration_since(Instant::now()))
    }

    /// There is a flag that may be set.
    pub(crate) fn can_be_interrupted(&self) -> bool {
        self.interrupted.is_some()
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_first_of_its_limits() {
        assert!(!Deadline::default().is_over());
        assert!(!Deadline::lasting(Duration::MAX).is_over());
        assert!(Deadline::lasting(Duration::ZERO).is_over());
        assert!(Deadline::lasting(Duration::from_secs(3600)).at_most(Duration::ZERO).is_over());
        assert!(Deadline::lasting(Duration::ZERO).at_most(Duration::from_secs(3600)).is_over());
    }

    #[test]
    fn ends_when_its_effort_is_spent() {
        let deadline = Deadline::default().with_effort(2);
        deadline.clone().spend(1);
        assert!(!deadline.is_over());
        deadline.clone().spend(5);
        assert!(deadline.is_over(), "copies share their effort");
    }

    #[test]
    fn ends_when_interrupted() {
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::lasting(Duration::from_secs(3600)).unless(Arc::clone(&flag));
        assert!(!deadline.is_over());
        flag.store(true, Ordering::Relaxed);
        assert!(deadline.is_over());
    }
}
