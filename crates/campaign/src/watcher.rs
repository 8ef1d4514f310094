//! The trait by which a campaign reports while it runs.

use std::time::Instant;

use secateur_backward::Progress as BackwardProgress;
use secateur_explore::SelectionStatus;
use secateur_suite::{BugReport, Sample};

/// Is told what happens in a campaign.
pub trait Watcher: Send {
    /// A bug was found that was not known before; its test is written.
    fn bug_found(&mut self, bug: &BugReport);

    /// Something that the user gave is not used as it was meant; the campaign goes on.
    fn warn(&mut self, sentence: &str);

    /// Whether [`output`](Watcher::output) is called. It makes every path cost as much as one that becomes a test.
    fn wants_output(&self) -> bool;

    /// What a path wrote to standard output and standard error.
    fn output(&mut self, path: u64, output: &[u8], errors: &[u8]);

    /// Whether another sample is due.
    fn wants_sample(&self, now: Instant) -> bool;

    /// How far the campaign is, and its round if it has rounds.
    fn sample(&mut self, sample: &Sample, round: Option<&RoundProgress>);

    /// How far the backward search for a target is, instead of a sample.
    fn searching(&mut self, target: &str, time: f64, progress: &BackwardProgress);

    /// The exploration is over. What follows, such as the native check of bugs, gives no samples.
    fn explored(&mut self);
}

/// How far a round of a campaign is that learns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RoundProgress {
    /// The round, and by what it selects flips.
    pub selection: SelectionStatus,
    /// How many branch outcomes it was the first to take so far.
    pub gained: u64,
}
