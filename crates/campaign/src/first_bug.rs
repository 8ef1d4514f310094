//! Stops a campaign at the first bug that the native program confirms.

use secateur_suite::OutDir;
use secateur_suite::replay::ReplayOptions;

use crate::confirm::confirm;

/// Waits for a bug that is worth stopping for.
pub(crate) struct FirstBug {
    /// How bugs are checked on the native program; `None` if they are not.
    confirm: Option<ReplayOptions>,
    /// It was found.
    pub found: bool,
    /// What the sandbox could not prevent on this system.
    pub unconfined: Vec<&'static str>,
}

impl FirstBug {
    pub(crate) fn new(confirm: Option<ReplayOptions>) -> FirstBug {
        FirstBug { confirm, found: false, unconfined: Vec::new() }
    }

    /// A bug was written. One that the native program refutes is no reason to stop; one that cannot be checked is, since
    /// the next could not be checked, either.
    pub(crate) fn bug_written(&mut self, out: &OutDir) {
        let confirmation = confirm(out, self.confirm.clone());
        if !confirmation.unconfined.is_empty() {
            self.unconfined = confirmation.unconfined;
        }
        let confirmed = out.bugs().last().and_then(|bug| bug.native.confirmed);
        self.found |= confirmed != Some(false);
    }
}
