//! Checks the bugs of a run on the native program.

use super::{ReplayError, ReplayOptions, build, replay_tests};
use crate::OutDir;
use crate::bug::Native;
use crate::out_dir::{BUGS, StoredTest, read_folder};

/// The result of checking bugs natively.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Confirmed {
    /// How many bugs were not checked for want of time.
    pub unchecked: usize,
    /// As in [`ReplayReport`](super::ReplayReport).
    pub unconfined: Vec<&'static str>,
}

/// Replays the tests of all bugs that were not checked before and records in the output folder what they show. The
/// build is kept for later replays.
pub fn confirm(out: &OutDir, options: &ReplayOptions) -> Result<Confirmed, ReplayError> {
    let mut natives: Vec<Native> = out.bugs().into_iter().map(|bug| bug.native).collect();
    let tests = read_folder(out.path(), BUGS, natives.len())?.into_iter().enumerate();
    let (indices, tests): (Vec<usize>, Vec<StoredTest>) =
        tests.filter(|(index, _)| natives[*index].confirmed.is_none()).unzip();
    if tests.is_empty() {
        return Ok(Confirmed::default());
    }
    let (report, _) = replay_tests(out.path(), &tests, options, &build::instrument, &|_| ())?;
    for (index, test) in indices.into_iter().zip(&tests) {
        if let Some(result) = report.results.iter().find(|result| result.name == test.name) {
            let (confirmed, what) = (Some(result.verdict.is_ok()), result.verdict.what_happened());
            natives[index] = Native { confirmed, what };
        }
    }
    let unchecked = natives.iter().filter(|native| native.confirmed.is_none()).count();
    out.record_native(natives)?;
    Ok(Confirmed { unchecked, unconfined: report.unconfined })
}
