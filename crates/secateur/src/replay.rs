//! `secateur replay`: runs the tests of an output folder on the natively compiled program.

use secateur_suite::functions;
use secateur_suite::replay::{ReplayOptions, replay_each};

use crate::args::ReplayArgs;
use crate::{BAD_INPUT, DONE, Failure, console, runtime};

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8, Failure> {
    if functions::is_outer(&args.out) {
        return Err(Failure::Input(format!(
            "{} has an output folder for each function; name one of them",
            args.out.display()
        )));
    }
    let mut options = ReplayOptions::new(&runtime::folder()?);
    options.time_limit = args.test_timeout;
    options.only = args.test.clone();
    if let Some(jobs) = args.jobs {
        options.jobs = jobs.max(1);
    }
    let report = replay_each(&args.out, &options, &|result| {
        if !args.quiet || !result.verdict.is_ok() {
            // If this cannot be printed, neither can the totals, and then it is said.
            let _ = console::print(format_args!("{result}\n"));
        }
    })?;
    let (passed, all) = (report.passed(), report.results.len());
    let (branches, lines) = (report.counts.branches, report.counts.lines);
    console::print(format_args!(
        "{passed} of {all} tests did what was predicted\n\
         native coverage: {}/{} branches ({:.1}%), {}/{} lines ({:.1}%)\n",
        branches.covered,
        branches.total,
        branches.percent(),
        lines.covered,
        lines.total,
        lines.percent()
    ))?;
    Ok(if report.all_passed() { DONE } else { BAD_INPUT })
}
