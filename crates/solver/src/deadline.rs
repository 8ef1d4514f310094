//! When to stop waiting for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A point in time, or an interruption by a flag, whichever comes first. The default is neither.
#[derive(Clone, Default, Debug)]
pub struct Deadline {
    moment: Option<Instant>,
    interrupted: Option<Arc<AtomicBool>>,
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

    /// The time is over, or the flag is set.
    pub fn is_over(&self) -> bool {
        self.is_interrupted() || self.moment.is_some_and(|moment| Instant::now() >= moment)
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
    fn ends_when_interrupted() {
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::lasting(Duration::from_secs(3600)).unless(Arc::clone(&flag));
        assert!(!deadline.is_over());
        flag.store(true, Ordering::Relaxed);
        assert!(deadline.is_over());
    }
}
