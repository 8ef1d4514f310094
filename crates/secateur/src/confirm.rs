//! The bugs of a run are checked on the natively compiled program, within bounds of time.

use std::time::{Duration, Instant};

use secateur_suite::replay::{ReplayOptions, confirm as confirm_bugs};
use secateur_suite::{OutDir, Summary};

use crate::args::RunArgs;
use crate::replay::say_unconfined;
use crate::{runtime, text};

/// How long all of it may take, besides what each bug adds.
const TIME: Duration = Duration::from_secs(10);
const TIME_PER_BUG: Duration = Duration::from_secs(2);

/// Checks all bugs, and tells why some were not if they should have been.
pub(crate) fn confirm(args: &RunArgs, out: &OutDir) -> Option<String> {
    let bugs = out.bugs().len();
    if bugs == 0 || args.output.no_confirm {
        return None;
    }
    let folder = match runtime::folder() {
        Ok(folder) => folder,
        Err(_) => return Some("the runtime is not installed".to_string()),
    };
    let mut options = ReplayOptions::new(&folder);
    options.trust = args.output.trust;
    options.deadline = Some(Instant::now() + TIME + TIME_PER_BUG * u32::try_from(bugs).unwrap_or(u32::MAX / 1000));
    match confirm_bugs(out, &options) {
        Ok(confirmed) => {
            say_unconfined(&confirmed.unconfined);
            (confirmed.unchecked > 0)
                .then(|| format!("no time was left for {}", text::count(confirmed.unchecked as u64, "bug")))
        }
        // A compiler may have much to say.
        Err(error) => {
            tracing::warn!("bugs are not checked natively: {error}");
            let text = error.to_string();
            Some(text.lines().take(2).collect::<Vec<_>>().join(" "))
        }
    }
}

/// What is said about all bugs together, behind their number.
pub(crate) fn remark(summary: &Summary) -> String {
    let all = summary.bugs.len();
    let with = |answer| summary.bugs.iter().filter(|bug| bug.native.confirmed == answer).count();
    let confirmed = match (with(Some(true)), with(None)) {
        (0, unchecked) if unchecked == all => String::new(),
        (0, _) => ", NONE confirmed natively".to_string(),
        (confirmed, _) if confirmed == all => ", confirmed natively".to_string(),
        (confirmed, _) => format!(", {confirmed} confirmed natively"),
    };
    match &summary.not_checked {
        Some(reason) => format!("{confirmed}, not checked natively: {reason}"),
        None => confirmed,
    }
}
