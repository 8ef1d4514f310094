//! Checks the bugs of a run that has just ended on the native program.

use super::{ReplayError, ReplayOptions, build, replay_tests};
use crate::OutDir;
use crate::bug::Native;
use crate::out_dir::{BUGS, read_folder};

/// The result of checking bugs natively.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// How many bugs were not checked for want of time.
    pub unchecked: usize,
    /// As in [`ReplayReport`](super::ReplayReport).
    pub unconfined: Vec<&'static str>,
}

/// Replays the tests of all bugs and records in the output folder what they show. The build is kept for later replays.
pub fn confirm(out: &OutDir, options: &ReplayOptions) -> Result<Confirmed, ReplayError> {
    let tests = read_folder(out.path(), BUGS, usize::MAX)?;
    let (report, _) = replay_tests(out.path(), &tests, options, &build::instrument, &|_| ())?;
    let native_of = |name: &str| {
        let result = report.results.iter().find(|result| result.name == name);
        result.map_or_else(Native::default, |result| Native {
            confirmed: Some(result.verdict.is_ok()),
            what: result.verdict.what_happened(),
        })
    };
    let natives: Vec<Native> = tests.iter().map(|test| native_of(&test.name)).collect();
    let unchecked = natives.iter().filter(|native| native.confirmed.is_none()).count();
    out.record_native(natives)?;
    Ok(Confirmed { unchecked, unconfined: report.unconfined })
}
