//! Stops a campaign at the first bug that the native program confirms.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use secateur_suite::OutDir;
use secateur_suite::replay::Confirmer;

use crate::confirm::deadline_in_run;
use crate::tuning::Tuning;

/// Waits for a bug that is worth stopping for.
pub(crate) struct FirstBug {
    /// When the exploration stops anyway.
    limit: Option<Instant>,
    /// Set when the user wants it to stop.
    interrupted: Arc<AtomicBool>,
    /// It was found.
    pub found: bool,
    tuning: Tuning,
}

impl FirstBug {
    pub(crate) fn new(limit: Option<Instant>, interrupted: Arc<AtomicBool>, tuning: &Tuning) -> FirstBug {
        FirstBug { limit, interrupted, found: false, tuning: tuning.clone() }
    }

    /// A bug was written; it is checked on the native program, unless there is no confirmer. One that the native
    /// program refutes is no reason to stop; one that cannot be checked is, since the next could not be checked,
    /// either.
    pub(crate) fn bug_written(&mut self, out: &OutDir, confirmer: Option<&mut Confirmer>) {
        if self.found {
            return;
        }
        let Some(confirmer) = confirmer else {
            self.found = true;
            return;
        };
        // If it fails, the check at the end says why.
        let _ = confirmer.confirm(out, deadline_in_run(self.limit, Arc::clone(&self.interrupted), &self.tuning));
        self.found = match out.bugs().last().and_then(|bug| bug.native.confirmed) {
            Some(confirmed) => confirmed,
            None => !self.is_stopping(),
        };
    }

    /// Whether the exploration stops for another reason, and the check was cut short by it.
    fn is_stopping(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.limit.is_some_and(|limit| Instant::now() >= limit)
    }
}
