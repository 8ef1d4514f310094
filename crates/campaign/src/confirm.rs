//! Checks the bugs of a campaign on the natively compiled program, within bounds of time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use secateur_suite::OutDir;
use secateur_suite::replay::{Confirmed, Confirmer, Deadline, ReplayError};

use crate::text::count;
use crate::tuning::Tuning;

/// The result of the check.
#[derive(Default)]
pub(crate) struct Confirmation {
    /// Why some bugs were not checked although they should have been.
    pub not_checked: Option<String>,
    /// What the sandbox could not prevent on this system.
    pub unconfined: Vec<&'static str>,
}

/// When a check during the exploration must end, which stops at `limit` or when `interrupted` is set.
pub(crate) fn deadline_in_run(limit: Option<Instant>, interrupted: Arc<AtomicBool>, tuning: &Tuning) -> Deadline {
    let at = Instant::now() + tuning.confirm_time + tuning.confirm_time_per_bug;
    Deadline::at(limit.map_or(at, |limit| at.min(limit))).unless(interrupted)
}

/// When the check of this many bugs must end. The exploration is over; `limit` is when it had to be, and `interrupted`
/// is set when the user wants the run to stop.
pub(crate) fn deadline(bugs: usize, limit: Option<Instant>, interrupted: Arc<AtomicBool>, tuning: &Tuning) -> Deadline {
    let now = Instant::now();
    let bugs = u32::try_from(bugs).unwrap_or(u32::MAX / 1000);
    let at = now + tuning.confirm_time + tuning.confirm_time_per_bug * bugs;
    let least = now + tuning.confirm_least;
    let at = limit.map_or(at, |limit| at.min((limit + tuning.confirm_after_limit).max(least)));
    match interrupted.load(Ordering::Relaxed) {
        true => Deadline::at(at.min(least)),
        false => Deadline::at(at).unless(interrupted),
    }
}

/// Checks all bugs that were not checked before and notes in the output folder what the native program did.
pub(crate) fn confirm(mut confirmer: Confirmer, out: &OutDir, deadline: Deadline) -> Confirmation {
    match confirmer.confirm(out, deadline) {
        Ok(Confirmed { unchecked: 0, unconfined, .. }) => Confirmation { not_checked: None, unconfined },
        Ok(Confirmed { unchecked, error: None | Some(ReplayError::TooLong), unconfined }) => {
            Confirmation { not_checked: Some(format!("no time was left for {}", count(unchecked, "bug"))), unconfined }
        }
        Ok(Confirmed { error: Some(error), unconfined, .. }) => {
            Confirmation { not_checked: Some(reason(error)), unconfined }
        }
        Err(error) => Confirmation { not_checked: Some(reason(&error)), unconfined: Vec::new() },
    }
}

fn reason(error: &ReplayError) -> String {
    tracing::warn!("bugs are not checked natively: {error}");
    // The messages of a compiler can be long.
    error.to_string().lines().take(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_ends_soon_after_a_limit_or_an_interruption() {
        let tuning = Tuning::default();
        let left = |limit: Option<Instant>, interrupted: bool| {
            let deadline = deadline(1, limit, Arc::new(AtomicBool::new(interrupted)), &tuning);
            deadline.left().unwrap_or_default().as_millis()
        };
        let now = Instant::now();
        // The lower bounds are loose: this thread may have to wait.
        assert!((2_000..=12_000).contains(&left(None, false)));
        assert!((2_000..=12_000).contains(&left(Some(now + 60 * tuning.confirm_time), false)), "the limit is far");
        assert!(left(Some(now), false) <= 750);
        assert!(left(Some(now), true) <= 250);
        assert!(left(Some(now - tuning.confirm_after_limit), false) <= 250, "loading took too long");
        let interrupted = Arc::new(AtomicBool::new(false));
        let deadline = deadline(1, None, Arc::clone(&interrupted), &tuning);
        assert!(!deadline.is_over());
        interrupted.store(true, Ordering::Relaxed);
        assert!(deadline.is_over());
    }
}
