//! Whoever wants to know how a campaign goes while it runs.

use std::time::Instant;

use secateur_suite::{BugReport, Sample};

/// Learns what happens in a campaign.
pub trait Watcher: Send {
    /// A bug was found that was not known before; its test is written.
    fn bug_found(&mut self, bug: &BugReport);

    /// Every path hands over what it writes. That makes every path cost as much as one that becomes a test.
    fn wants_output(&self) -> bool;

    /// What a path wrote to standard output and standard error, if that is wanted.
    fn output(&mut self, path: u64, output: &[u8], errors: &[u8]);

    /// It is time for another sample.
    fn wants_sample(&self, now: Instant) -> bool;

    /// How far the campaign is, if that is wanted.
    fn sample(&mut self, sample: &Sample);

    /// The exploration is over. What follows, such as the native check of bugs, gives no samples.
    fn explored(&mut self);
}
