//! Test cases and what surrounds them: file formats, bug reports, coverage, the output folder and native replay.
//!
//! This crate never runs the symbolic engine: it is told what was predicted and writes it down, or checks it on the
//! natively compiled program.

pub mod bug;
pub mod c_test;
pub mod code_map;
pub mod coverage;
pub mod functions;
pub mod ktest;
pub mod lcov;
pub mod out_dir;
pub mod prediction;
pub mod raw;
pub mod replay;
pub mod sarif;
pub mod summary;
pub mod test_case;
pub mod testcomp;
pub mod timeline;

pub use bug::{BugReport, Frame};
pub use code_map::CodeMap;
pub use coverage::{Counts, Coverage};
pub use out_dir::{Format, OutDir, OutError, OutOptions};
pub use prediction::{Expected, Prediction, Trace};
pub use summary::Summary;
pub use test_case::{Object, Shape, Source, TestCase};
pub use timeline::Sample;
