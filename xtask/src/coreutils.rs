//! Explores programs of coreutils, and counts the branches that their tests cover natively, beside those of KLEE; the
//! table goes to `docs/comparison.md`.

use std::path::Path;
use std::process::Command;

use crate::bench::root;
use crate::real;

const USAGE: &str = "usage: cargo xtask bench-coreutils [--seconds N] [PROGRAM…], such as cut";

/// The programs, and how many branches KLEE's tests cover natively, where that is known: coreutils 9.1, about 15 s of
/// processor time each, uclibc and the POSIX runtime, measured by others.
const PROGRAMS: &[(&str, Option<u32>)] = &[
    ("echo", Some(66)),
    ("tr", Some(215)),
    ("cut", Some(205)),
    ("expr", Some(221)),
    ("printf", Some(229)),
    ("base64", Some(261)),
    ("seq", Some(198)),
    ("paste", Some(220)),
    ("uniq", Some(246)),
    ("factor", Some(211)),
    ("cat", None),
    ("sort", None),
    ("wc", None),
    ("head", None),
    ("tail", None),
    ("od", None),
    ("fmt", None),
    ("join", None),
    ("split", None),
    ("ls", None),
];

/// What is symbolic: two arguments, standard input and a file.
const INPUT: &[&str] = &["--sym-args", "0", "2", "4", "--sym-stdin", "8", "--sym-file", "A", "8"];
/// What KLEE's authors make symbolic in coreutils: up to three arguments, one of them long.
const INPUT_OF_KLEE: &[&str] =
    &["--sym-args", "0", "1", "10", "--sym-args", "0", "2", "2", "--sym-stdin", "8", "--sym-file", "A", "8"];
/// How long KLEE took.
const SECONDS_OF_KLEE: u32 = 15;

const BEGIN: &str = "<!-- The table is written by `make bench-coreutils`. -->\n";
const END: &str = "<!-- End of the table. -->";

/// What the tests of a program did natively.
struct Replayed {
    branches: u32,
    of: u32,
    as_predicted: u32,
    tests: u32,
}

/// Explores all programs, or those of these names, for some seconds each, and prints a table; that of all programs goes
/// into the documentation.
pub fn coreutils(arguments: &[String]) -> Result<(), String> {
    let mut seconds = 60;
    let mut names = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => {
                seconds = arguments.next().and_then(|number| number.parse().ok()).ok_or(USAGE)?;
            }
            option if option.starts_with('-') => return Err(USAGE.to_string()),
            name => names.push(name),
        }
    }
    let chosen: Vec<_> = PROGRAMS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)).collect();
    if chosen.is_empty() {
        return Err(USAGE.to_string());
    }
    let root = root()?;
    let built = real::build(&root, &["coreutils"])?;
    let mut table = format!(
        "| program | branches | two arguments, {seconds} s | KLEE's input, {SECONDS_OF_KLEE} s | KLEE | ratio | \
         tests as predicted |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    );
    print!("{table}");
    let mut logarithms = Vec::new();
    for (name, klee) in chosen {
        let executable = built.join("coreutils/src").join(name);
        let found = explore(&root, &executable, INPUT, seconds)?;
        let (mut as_predicted, mut tests) = (found.as_predicted, found.tests);
        let (mut like_klee, mut figure, mut ratio) = (String::new(), String::new(), String::new());
        if let Some(klee) = klee {
            let again = explore(&root, &executable, INPUT_OF_KLEE, SECONDS_OF_KLEE)?;
            let quotient = f64::from(again.branches) / f64::from(*klee);
            logarithms.push(quotient.ln());
            (as_predicted, tests) = (as_predicted + again.as_predicted, tests + again.tests);
            (like_klee, figure, ratio) = (again.branches.to_string(), klee.to_string(), format!("{quotient:.2}"));
        }
        let Replayed { branches, of, .. } = found;
        let row =
            format!("| {name} | {of} | {branches} | {like_klee} | {figure} | {ratio} | {as_predicted} of {tests} |\n");
        print!("{row}");
        table.push_str(&row);
    }
    if !logarithms.is_empty() {
        let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
        let least = logarithms.iter().copied().fold(f64::INFINITY, f64::min).exp();
        let sentence = format!("\nThe geometric mean of the ratios is {mean:.2}, the least {least:.2}.\n");
        print!("{sentence}");
        table.push_str(&sentence);
    }
    if names.is_empty() { real::write(&root, "docs/comparison.md", (BEGIN, END), &table) } else { Ok(()) }
}

fn explore(root: &Path, executable: &Path, input: &[&str], seconds: u32) -> Result<Replayed, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no room for temporary files: {error}"))?;
    let out = scratch.path().join("out");
    let secateur = |verb: &str| {
        let mut command = Command::new(root.join("bin/secateur"));
        command.arg(verb).env("SECATEUR_RUNTIME", root.join("lib/secateur"));
        command
    };
    let limit = format!("{seconds}s");
    let mut run = secateur("run");
    run.arg(executable).arg("--out").arg(&out).args(["--jobs", "1", "--quiet", "--no-report", "--max-time", &limit]);
    let cannot = |error| format!("cannot run bin/secateur: {error}");
    run.args(input).output().map_err(cannot)?;
    let replay = secateur("replay").arg(&out).args(["--jobs", "1"]).output().map_err(cannot)?;
    let text = String::from_utf8_lossy(&replay.stdout);
    replayed(&text).ok_or_else(|| format!("the tests of {} cannot be replayed: {text}", executable.display()))
}

/// Reads the last two lines of what replay prints.
fn replayed(text: &str) -> Option<Replayed> {
    let number = |line: &str, index: usize| {
        line.split(|letter: char| !letter.is_ascii_digit()).filter(|word| !word.is_empty()).nth(index)?.parse().ok()
    };
    let predicted = text.lines().find(|line| line.ends_with("did what was predicted"))?;
    let coverage = text.lines().find(|line| line.starts_with("native coverage:"))?;
    Some(Replayed {
        branches: number(coverage, 0)?,
        of: number(coverage, 1)?,
        as_predicted: number(predicted, 0)?,
        tests: number(predicted, 1)?,
    })
}
