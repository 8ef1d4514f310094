//! Checks the bugs of a campaign on the natively compiled program, within bounds of time.

use std::time::{Duration, Instant};

use secateur_suite::OutDir;
use secateur_suite::replay::{ReplayOptions, confirm as confirm_bugs};

use crate::text::count;

/// The time for all bugs together, to which each bug adds some.
const TIME: Duration = Duration::from_secs(10);
const TIME_PER_BUG: Duration = Duration::from_secs(2);

/// The result of the check.
#[derive(Default)]
pub(crate) struct Confirmation {
    /// Why some bugs were not checked although they should have been.
    pub not_checked: Option<String>,
    /// What the sandbox could not prevent on this system.
    pub unconfined: Vec<&'static str>,
}

/// Checks all bugs and notes in the output folder what the native program did.
pub(crate) fn confirm(out: &OutDir, options: Option<ReplayOptions>) -> Confirmation {
    let bugs = out.bugs().len();
    let Some(mut options) = options.filter(|_| bugs > 0) else { return Confirmation::default() };
    options.deadline = Some(Instant::now() + TIME + TIME_PER_BUG * u32::try_from(bugs).unwrap_or(u32::MAX / 1000));
    match confirm_bugs(out, &options) {
        Ok(confirmed) => {
            let unchecked = confirmed.unchecked;
            let not_checked = (unchecked > 0).then(|| format!("no time was left for {}", count(unchecked, "bug")));
            Confirmation { not_checked, unconfined: confirmed.unconfined }
        }
        Err(error) => {
            tracing::warn!("bugs are not checked natively: {error}");
            // The messages of a compiler can be long.
            let text = error.to_string();
            let not_checked = Some(text.lines().take(2).collect::<Vec<_>>().join(" "));
            Confirmation { not_checked, ..Confirmation::default() }
        }
    }
}
