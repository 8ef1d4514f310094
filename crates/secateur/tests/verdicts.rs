//! Random programs whose truth is known, because all their runs are tried natively: no verdict may be wrong, in either
//! direction, whatever the order of search, the optimisation level and the number of workers; and what is covered and
//! which bugs are found is the same as without interpolation.
//!
//! `VERDICT_PROGRAMS` and `VERDICT_SEED` try more of them, or others; the programs of a failure are left in the folder
//! that `VERDICT_FOLDER` names.

#[path = "support/random_program.rs"]
mod random_program;
mod support;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use random_program::RandomProgram;
use serde_json::Value;
use support::{expect_exit, root, secateur};

/// How many programs are tried by default, from which seed.
const PROGRAMS: u64 = 120;
const SEED: u64 = 1;

/// How many are compiled into one native program.
const BATCH: u64 = 50;

/// The fewest runs that a program has.
const FEWEST_RUNS: i32 = 16;

/// The most programs without a verdict: in percent of those whose paths all end, and of those with an endless loop.
const MOST_UNKNOWN: usize = 2;
const MOST_UNKNOWN_ENDLESS: usize = 60;

/// How long a run may take. Those whose paths all end need far less.
const LIMIT: &str = "20s";
const LIMIT_ENDLESS: &str = "3s";

/// A program and the truth about it.
struct Case {
    number: u64,
    program: RandomProgram,
    text: String,
    /// The lines at which some run fails.
    failing: BTreeSet<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Verified,
    Bug,
    Unknown,
}

/// How a program is run.
struct Way {
    search: &'static str,
    level: &'static str,
    jobs: &'static str,
}

#[test]
fn no_verdict_on_a_random_program_is_wrong() {
    check(setting("VERDICT_SEED", SEED), setting("VERDICT_PROGRAMS", PROGRAMS));
}

fn setting(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn check(seed: u64, programs: u64) {
    let queue = Mutex::new(Queue { seed, next: 0, left: programs, cases: Vec::new() });
    let tally = Mutex::new(Tally::default());
    let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(case) = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take() else {
                        break;
                    };
                    let result = judge(&case);
                    tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(&case, result);
                }
            });
        }
    });
    tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).finish(seed);
}

/// The programs that are still to be tried.
struct Queue {
    seed: u64,
    next: u64,
    left: u64,
    cases: Vec<Case>,
}

impl Queue {
    fn take(&mut self) -> Option<Case> {
        if self.left == 0 {
            return None;
        }
        while self.cases.is_empty() {
            let numbers = self.next..self.next + BATCH;
            self.next = numbers.end;
            let programs = numbers.map(|number| (number, RandomProgram::generate(self.seed, number))).collect();
            self.cases = try_natively(programs).expect("the programs can be tried natively");
        }
        self.left -= 1;
        self.cases.pop()
    }
}

/// Tries all runs of each program; those with too many are left out, and those with too few to be of interest.
fn try_natively(programs: Vec<(u64, RandomProgram)>) -> Result<Vec<Case>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (mut texts, mut table) = (String::new(), String::new());
    for (index, (_, program)) in programs.iter().enumerate() {
        texts += &program.native(index);
        let slack: Vec<String> = program.slack.iter().map(i32::to_string).collect();
        let _ = writeln!(texts, "static const int slack{index}[] = {{{}}};", slack.join(", "));
        let _ = writeln!(table, "  {{p{index}_program, {}, slack{index}}},", slack.len());
    }
    let _ = write!(texts, "static const struct program PROGRAMS[] = {{\n{table}}};\n");
    std::fs::write(folder.path().join("programs.h"), texts).map_err(|error| error.to_string())?;
    let native = folder.path().join("native");
    let source = root().join("crates/secateur/tests/support/brute_force.c");
    let mut compiler = Command::new("clang-19");
    compiler.args(["-O1", "-w", "-I"]).arg(folder.path()).arg(source).arg("-o").arg(&native);
    expect_exit(&mut compiler, &[0])?;
    let output = expect_exit(&mut Command::new(&native), &[0])?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut cases = Vec::new();
    for ((number, program), line) in programs.into_iter().zip(output.lines()) {
        let mut parts = line.split(';').map(|part| part.split_whitespace().filter_map(|word| word.parse().ok()));
        let mut next = || -> Vec<i32> { parts.next().into_iter().flatten().collect() };
        let (runs, limits, failing) = (next(), next(), next());
        if runs.iter().any(|runs| *runs >= FEWEST_RUNS) {
            let text = program.for_secateur(&limits);
            let failing = failing.into_iter().map(|line| line as u64).collect();
            cases.push(Case { number, program, text, failing });
        }
    }
    cases.reverse();
    Ok(cases)
}

/// What a run of a program shows, once it is known to be right.
struct Judged {
    verdict: Verdict,
    has_subsumed: bool,
}

fn judge(case: &Case) -> Result<Judged, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("random.c");
    std::fs::write(&file, &case.text).map_err(|error| error.to_string())?;
    let way = way(case);
    let found = verify(&file, &way, case.program.is_endless)?;
    let mut verdict = compare(case, &way, &found)?;
    if !case.program.is_endless {
        let full = explore(&file, &way)?;
        compare(case, &way, &full).map_err(|message| format!("without interpolation {message}"))?;
        if found["complete"] != true {
            // A bug was found, perhaps, but not everything was looked at, which is no better than not to know.
            verdict = Verdict::Unknown;
        } else if full["complete"] == true && found["coverage"] != full["coverage"] {
            return Err(format!("interpolation covers {} instead of {}", found["coverage"], full["coverage"]));
        }
    }
    Ok(Judged { verdict, has_subsumed: found["paths"]["subsumed"].as_u64() > Some(0) })
}

/// Each program is run in one way. What is undefined may be anything once it is optimised.
fn way(case: &Case) -> Way {
    let pick = |of: &[&'static str], by: u64| of[((case.number / by) % of.len() as u64) as usize];
    let is_undefined = case.failing.iter().any(|line| case.program.is_undefined_at(*line as usize));
    Way {
        search: pick(&["dfs", "default", "cfg", "urs"], 1),
        level: if is_undefined { "-O0" } else { pick(&["-O0", "-O1", "-O2"], 4) },
        jobs: pick(&["1", "2"], 12),
    }
}

/// The summary of `secateur verify`, which looks for all bugs. The exit code must be that of the verdict.
fn verify(file: &Path, way: &Way, is_endless: bool) -> Result<Value, String> {
    let limit = if is_endless { LIMIT_ENDLESS } else { LIMIT };
    let mut command = secateur();
    command.arg("verify").arg(file).args(["--keep-going", "--check-cuts", "--no-tests", "--max-time", limit]);
    let (code, summary) = summary_of(command, file, way, "verify", &[0, 10, 20])?;
    let expected = match summary["verdict"].as_str() {
        Some("VERIFIED") => 0,
        Some("BUG") => 10,
        _ => 20,
    };
    if code == Some(expected) { Ok(summary) } else { Err(format!("{} with exit code {code:?}", summary["verdict"])) }
}

/// The summary of an exploration that prunes nothing.
fn explore(file: &Path, way: &Way) -> Result<Value, String> {
    let mut command = secateur();
    command.arg("run").arg(file).args(["--prune", "none", "--uninit", "any", "--no-tests", "--no-confirm"]);
    command.args(["--max-time", LIMIT]);
    Ok(summary_of(command, file, way, "run", &[0, 10])?.1)
}

fn summary_of(
    mut command: Command,
    file: &Path,
    way: &Way,
    out: &str,
    codes: &[i32],
) -> Result<(Option<i32>, Value), String> {
    command.args([way.level, "--search", way.search, "--jobs", way.jobs]);
    command.args(["--no-report", "--grace", "0s", "--json", "--cflag=-w", "--out"]).arg(file.with_extension(out));
    let output = expect_exit(&mut command, codes)?;
    let summary = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    Ok((output.status.code(), summary))
}

/// Compares what a run found with the truth.
fn compare(case: &Case, way: &Way, summary: &Value) -> Result<Verdict, String> {
    let bugs: Vec<&Value> = summary["bugs"].as_array().into_iter().flatten().collect();
    // The optimiser may drop what follows an endless loop without effects: then this is another program than the source.
    if way.level != "-O0" && bugs.iter().any(|bug| bug["kind"] == "unreachable") {
        return Ok(Verdict::Unknown);
    }
    let lines: BTreeSet<u64> = bugs.iter().filter_map(|bug| bug["line"].as_u64()).collect();
    let context = format!("with {} {} {} jobs", way.search, way.level, way.jobs);
    if !lines.is_empty() && case.failing.is_empty() {
        return Err(format!("{context} there are bugs at {lines:?}, but no run fails"));
    }
    let is_complete = summary["complete"] == true;
    // An optimiser may join assertions, and then the line of one stands for the others.
    if way.level == "-O0" {
        if let Some(line) = lines.difference(&case.failing).next() {
            return Err(format!("{context} there is a bug at line {line}, where no run fails"));
        }
        if is_complete && lines != case.failing {
            return Err(format!("{context} the bugs are at {lines:?} instead of {:?}", case.failing));
        }
    }
    // Only `verify` has a verdict; what it says must agree with what it found.
    let verdict = match summary["verdict"].as_str() {
        Some("VERIFIED") => Verdict::Verified,
        Some("BUG") => Verdict::Bug,
        Some(_) => Verdict::Unknown,
        None if !lines.is_empty() => Verdict::Bug,
        None if is_complete => Verdict::Verified,
        None => Verdict::Unknown,
    };
    match verdict {
        Verdict::Verified if !case.failing.is_empty() => {
            Err(format!("{context} it is verified, but fails at {:?}", case.failing))
        }
        Verdict::Bug if case.failing.is_empty() => Err(format!("{context} it has a bug, but no run fails")),
        verdict => Ok(verdict),
    }
}

/// What became of all programs.
#[derive(Default)]
struct Tally {
    wrong: Vec<String>,
    verdicts: Vec<(bool, Verdict)>,
    subsuming: usize,
}

impl Tally {
    fn add(&mut self, case: &Case, result: Result<Judged, String>) {
        match result {
            Ok(Judged { verdict, has_subsumed }) => {
                self.verdicts.push((case.program.is_endless, verdict));
                self.subsuming += usize::from(has_subsumed);
            }
            Err(message) => {
                let place = keep(case);
                self.wrong.push(format!("number {}{place}: {message}", case.number));
            }
        }
    }

    fn count(&self, is_endless: bool, verdict: Verdict) -> usize {
        self.verdicts.iter().filter(|entry| **entry == (is_endless, verdict)).count()
    }

    fn finish(self, seed: u64) {
        assert!(self.wrong.is_empty(), "with VERDICT_SEED={seed}\n{}", self.wrong.join("\n"));
        for (is_endless, most) in [(false, MOST_UNKNOWN), (true, MOST_UNKNOWN_ENDLESS)] {
            let kinds = [Verdict::Verified, Verdict::Bug, Verdict::Unknown];
            let [verified, bugs, unknown] = kinds.map(|verdict| self.count(is_endless, verdict));
            let all = verified + bugs + unknown;
            println!("endless: {is_endless}: {verified} verified, {bugs} with a bug, {unknown} unknown");
            assert!(100 * unknown <= most * all, "{unknown} of {all} programs have no verdict (endless: {is_endless})");
            // If all were alike, a tool that always says the same would pass.
            assert!(is_endless || all < 50 || (5 * verified > all && 5 * bugs > all), "{verified} and {bugs} of {all}");
        }
        println!("in {} of {} programs, paths are subsumed", self.subsuming, self.verdicts.len());
        assert!(3 * self.subsuming > self.verdicts.len(), "only in {} programs, paths are subsumed", self.subsuming);
    }
}

/// Writes a program where it can be looked at.
fn keep(case: &Case) -> String {
    let Some(folder) = std::env::var_os("VERDICT_FOLDER") else { return String::new() };
    let file = PathBuf::from(folder).join(format!("random{}.c", case.number));
    match std::fs::write(&file, &case.text) {
        Ok(()) => format!(" ({})", file.display()),
        Err(error) => format!(" ({error})"),
    }
}
