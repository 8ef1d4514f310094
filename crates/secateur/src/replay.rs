//! `secateur replay`: runs the tests of an output folder on the natively compiled program.

use secateur_suite::replay::{ReplayOptions, replay_each};

use crate::args::ReplayArgs;
use crate::{BAD_INPUT, DONE, Failure, runtime};

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8, Failure> {
    let mut options = ReplayOptions::new(&runtime::folder()?);
    options.time_limit = args.test_timeout;
    if let Some(jobs) = args.jobs {
        options.jobs = jobs.max(1);
    }
    let report = replay_each(&args.out, &options, &|result| {
        if !args.quiet || !result.verdict.is_ok() {
            println!("{result}");
        }
    })?;
    let (passed, all) = (report.passed(), report.results.len());
    let (branches, lines) = (report.counts.branches, report.counts.lines);
    println!("{passed} of {all} tests did what was predicted");
    println!(
        "native coverage: {}/{} branches ({:.1}%), {}/{} lines ({:.1}%)",
        branches.covered,
        branches.total,
        branches.percent(),
        lines.covered,
        lines.total,
        lines.percent()
    );
    Ok(if report.all_passed() { DONE } else { BAD_INPUT })
}
