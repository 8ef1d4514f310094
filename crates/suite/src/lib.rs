//! Test cases and what surrounds them: file formats, bug reports, coverage, the output folder and native replay.
//!
//! This crate never runs the symbolic engine: it receives predictions, writes them, and checks them on the natively
//! compiled program.

pub mod branch_sides;
pub mod bug;
mod claim;
pub mod code_map;
pub mod coverage;
mod files;
pub mod findings;
pub mod functions;
mod given_files;
pub mod ktest;
pub mod lcov;
mod lines;
pub mod out_dir;
pub mod path_log;
pub mod prediction;
pub mod raw;
pub mod reach;
pub mod replay;
pub mod sarif;
mod scratch;
pub mod seeds;
pub mod sides;
pub mod summary;
pub mod test_case;
mod test_writer;
pub mod testcomp;
pub mod timeline;
mod tuning;

pub use bug::{BacktraceEntry, BugReport};
pub use claim::Claim;
pub use code_map::CodeMap;
pub use coverage::{Counts, Coverage};
pub use out_dir::{Format, OutDir, OutError, OutOptions, PENDING, StoredPending, read_pending};
pub use path_log::{PathLog, PathRow, PathRows};
pub use prediction::{Expected, Prediction, Trace};
pub use scratch::Scratch;
pub use seeds::{Seed, read_seeds};
pub use sides::Sides;
pub use summary::Summary;
pub use test_case::{Object, Shape, Source, TestCase, Unwritten};
pub use test_writer::TestWriter;
pub use timeline::Sample;
pub use tuning::Tuning;
