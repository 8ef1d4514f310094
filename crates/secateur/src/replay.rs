//! `secateur replay`: runs the tests of an output folder on the natively compiled program.

use std::path::Path;
use std::sync::Once;

use secateur_suite::functions;
use secateur_suite::replay::{ReplayOptions, ReplayReport, replay_each};

use crate::args::ReplayArgs;
use crate::{BAD_INPUT, DONE, Failure, console, runtime, text};

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8, Failure> {
    let mut options = ReplayOptions::new(&runtime::folder()?);
    options.time_limit = args.test_timeout;
    options.only = args.test.clone();
    options.trust = args.trust;
    if let Some(jobs) = args.jobs {
        options.jobs = jobs.max(1);
    }
    if functions::is_outer(&args.out) {
        return replay_functions(args, &options);
    }
    let report = replay_folder(&args.out, &options, "", args.quiet)?;
    let (branches, lines) = (report.counts.branches, report.counts.lines);
    let unsteady = match report.unsteady() as u64 {
        0 => String::new(),
        many => format!(
            "{} took other branches each time: the program depends on where its memory is\n",
            text::count(many, "test")
        ),
    };
    let by_address = match report.by_address() as u64 {
        0 => String::new(),
        many => format!(
            "{} left the predicted path where the program compares addresses of different objects\n",
            text::count(many, "test")
        ),
    };
    console::print(format_args!(
        "{} of {} tests did what was predicted\n\
         {unsteady}{by_address}native coverage: {}, {}\n",
        report.passed(),
        report.results.len(),
        branches.of("branches"),
        lines.of("lines")
    ))?;
    Ok(if report.all_passed() { DONE } else { BAD_INPUT })
}

/// Replays the folder of each function that `--each-function` tested. Tests are named like `parse/000001`.
fn replay_functions(args: &ReplayArgs, options: &ReplayOptions) -> Result<u8, Failure> {
    let mut folders = functions::tested(&args.out)?;
    for name in &args.test {
        let function = name.split_once('/').map(|(function, _)| function);
        if !folders.iter().any(|(known, _)| Some(known.as_str()) == function) {
            let example = folders.first().map_or("FUNCTION", |(known, _)| known);
            return Err(Failure::Input(format!(
                "there is no test {name} in {}: each function has tests of its own, such as {example}/000001",
                args.out.display()
            )));
        }
    }
    let tests_of = |function: &str| -> Vec<String> {
        args.test.iter().filter_map(|name| name.strip_prefix(function)?.strip_prefix('/').map(str::to_string)).collect()
    };
    folders.retain(|(function, _)| args.test.is_empty() || !tests_of(function).is_empty());
    let width = folders.iter().map(|(function, _)| function.len()).max().unwrap_or(0);
    let (mut passed, mut all) = (0, 0);
    for (function, folder) in &folders {
        let options = ReplayOptions { only: tests_of(function), ..options.clone() };
        // One line per function is enough, unless single tests were asked for.
        let quiet = args.quiet || args.test.is_empty();
        let report = replay_folder(folder, &options, &format!("{function}/"), quiet)?;
        (passed, all) = (passed + report.passed(), all + report.results.len());
        if !args.quiet || !report.all_passed() {
            let (passed, all) = (report.passed(), report.results.len());
            console::print(format_args!("{function:<width$}  {passed} of {all} tests did what was predicted\n"))?;
        }
    }
    let functions = text::count(folders.len() as u64, "function");
    console::print(format_args!("{passed} of {all} tests of {functions} did what was predicted\n"))?;
    Ok(if passed == all { DONE } else { BAD_INPUT })
}

/// Replays one output folder and prints its tests; if `quiet`, only those that did not behave as predicted.
fn replay_folder(out: &Path, options: &ReplayOptions, before: &str, quiet: bool) -> Result<ReplayReport, Failure> {
    let report = replay_each(out, options, &|result| {
        if !quiet || !result.verdict.is_ok() {
            // If this fails, so does printing the totals, which is reported.
            let _ = console::print(format_args!("{before}{result}\n"));
        }
    })?;
    warn_unconfined(&report.unconfined);
    Ok(report)
}

/// Warns once about what the sandbox cannot prevent on this system.
pub(crate) fn warn_unconfined(unconfined: &[&str]) {
    static WARNED: Once = Once::new();
    if !unconfined.is_empty() {
        let what = unconfined.join(", ");
        WARNED.call_once(|| eprintln!("secateur: the sandbox is incomplete on this system: a test could {what}"));
    }
}
