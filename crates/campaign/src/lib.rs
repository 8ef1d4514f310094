//! A campaign is one exploration of a program into an output folder: tests, bugs, coverage, the path tree, a summary
//! and a report.
//!
//! [`run`] takes a loaded program and [`Options`], reports to a [`Watcher`] while it runs, and returns a
//! [`CampaignResult`]. Nothing here reads arguments or prints: that is up to the caller.

mod bugs;
mod c_tests;
mod checksum;
mod collect;
mod confirm;
mod contribute;
mod coverage;
mod extract;
mod fault;
mod first_bug;
mod gathered;
mod interpolants;
mod journal;
mod keep;
mod keeper;
mod learning;
mod logging;
mod loop_lines;
mod native;
mod options;
mod path_tree;
mod place;
mod precondition;
mod predict;
mod reach;
mod reasons;
mod recorder;
mod run;
mod seeds;
mod stored;
mod summary;
mod text;
mod timeline;
mod tuning;
mod unsupported;
mod verdict;
mod watcher;

pub use checksum::checksum;
pub use collect::{Next, Steps};
pub use contribute::{Contribution, Sink, Work, contribute};
pub use fault::Fault;
pub use gathered::{Delivery, Gathered};
pub use journal::{Beginning, Journal, JournalError};
pub use keep::Keep;
pub use learning::Learning;
pub use native::NativeHelp;
pub use options::Options;
pub use place::file_and_line;
pub use reach::{
    BackwardOptions, Explorer, MakeExplorer, ReachOptions, ReachResult, ReachTarget, What, kinds_of_rule, reach,
};
pub use run::{CampaignResult, run};
pub use secateur_backward::{Progress as BackwardProgress, Tuning as BackwardTuning};
pub use secateur_c_tests::{Sources, Tuning as CTestsTuning};
pub use secateur_machine::BugKind;
pub use secateur_report::Unsupported;
pub use secateur_suite::Tuning as SuiteTuning;
pub use seeds::{RawInput, SeedOptions, seed_inputs};
pub use stored::{Items, Step};
pub use tuning::Tuning;
pub use verdict::Verify;
pub use watcher::{RoundProgress, Watcher};

/// The version of Secateur, which stored and sent forms belong to.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
