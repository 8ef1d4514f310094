//! How long an answer is waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Ends at a moment, or as soon as someone outside sets a flag. The default never ends.
#[derive(Clone, Default, Debug)]
pub struct Patience {
    deadline: Option<Instant>,
    interrupted: Option<Arc<AtomicBool>>,
}

impl Patience {
    /// Ends after this time.
    pub fn lasting(time: Duration) -> Patience {
        Patience::default().at_most(time)
    }

    /// Ends when the flag is set, too.
    pub fn unless(mut self, interrupted: Arc<AtomicBool>) -> Patience {
        self.interrupted = Some(interrupted);
        self
    }

    /// Ends after this time from now if not before.
    pub fn at_most(mut self, time: Duration) -> Patience {
        // A time that the clock cannot hold is no limit.
        if let Some(deadline) = Instant::now().checked_add(time) {
            self.deadline = Some(self.deadline.map_or(deadline, |known| known.min(deadline)));
        }
        self
    }

    /// It is time to stop.
    pub fn is_over(&self) -> bool {
        self.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// It is longer than this past the moment to stop.
    pub(crate) fn is_over_since(&self, time: Duration) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now().saturating_duration_since(deadline) > time)
    }

    /// How much time is left, whatever the flag says; `None` is no limit.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Someone may set a flag.
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
        assert!(!Patience::default().is_over());
        assert!(!Patience::lasting(Duration::MAX).is_over());
        assert!(Patience::lasting(Duration::ZERO).is_over());
        assert!(Patience::lasting(Duration::from_secs(3600)).at_most(Duration::ZERO).is_over());
        assert!(Patience::lasting(Duration::ZERO).at_most(Duration::from_secs(3600)).is_over());
    }

    #[test]
    fn ends_when_interrupted() {
        let flag = Arc::new(AtomicBool::new(false));
        let patience = Patience::lasting(Duration::from_secs(3600)).unless(Arc::clone(&flag));
        assert!(!patience.is_over());
        flag.store(true, Ordering::Relaxed);
        assert!(patience.is_over());
    }
}
