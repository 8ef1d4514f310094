//! When `timeline.csv` gets another sample.

use std::time::{Duration, Instant};

use secateur_explore::{Counters, peak_memory, resident_memory};
use secateur_suite::Sample;

/// The time between two samples grows with the run, between these bounds, so that a short run has a curve, too.
const INTERVAL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));
/// About how many samples are taken before the time between them stops growing.
const SAMPLES: u32 = 64;

/// A sample of these counters, without tests and bugs. `branches` is how many outcomes are covered, and of how many.
pub(crate) fn sample(time: f64, counters: &Counters, branches: (u64, u64)) -> Sample {
    Sample {
        time,
        paths: counters.paths(),
        pending: counters.pending,
        tests: 0,
        bugs: 0,
        branches_covered: branches.0,
        branches_total: branches.1,
        memory: resident_memory().unwrap_or(0),
        peak_memory: peak_memory().unwrap_or(0),
        solver_time: counters.solver_time.as_secs_f64(),
        subsumed: counters.subsumed,
        dropped: counters.dropped,
        round: 0,
    }
}

pub(crate) struct Timeline {
    started: Instant,
    last: Option<Instant>,
}

impl Timeline {
    pub(crate) fn new(started: Instant) -> Timeline {
        Timeline { started, last: None }
    }

    /// When the campaign began.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// Seconds since the campaign began.
    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Returns whether a sample is due; the next one is then due an interval later.
    pub(crate) fn is_due(&mut self, now: Instant) -> bool {
        let interval = ((now - self.started) / SAMPLES).clamp(INTERVAL.0, INTERVAL.1);
        let is_due = self.last.is_none_or(|last| now - last >= interval);
        if is_due {
            self.last = Some(now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_become_rare_but_no_rarer_than_one_a_second() {
        let started = Instant::now();
        let mut timeline = Timeline::new(started);
        let mut due_after = |milliseconds| timeline.is_due(started + Duration::from_millis(milliseconds));
        assert!(due_after(0), "the first one is always due");
        assert!(!due_after(9) && due_after(10));
        assert!(due_after(6_400) && !due_after(6_450) && due_after(6_600));
        assert!(due_after(1_000_000) && !due_after(1_000_999) && due_after(1_001_000));
    }
}
