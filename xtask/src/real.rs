//! Runs real programs, built with `secateur cc`, on ordinary command lines: in the machine they must print and return
//! what they do natively. Where that depends on the system, the native program runs in the world that replay recreates,
//! and must take the same branches.
//!
//! The programs are Debian source packages, fetched and built in the cache (`scripts/real-programs.sh`); `bench/real`
//! has the command lines, and the files that they are about.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::bench::root;

const USAGE: &str = "usage: cargo xtask bench-real [PROGRAM…], such as coreutils or src/sort";

/// The table for the documentation.
const BEGIN: &str = "<!-- The table is written by `make bench-real`. -->\n";
const END: &str = "<!-- End of the table. -->";

/// Nobody in particular, as in the machine.
const USER: u32 = 1000;

/// A program and its command lines.
struct Program {
    package: String,
    /// Below the folder of the package.
    path: String,
    lines: Vec<Line>,
}

/// A command line.
struct Line {
    arguments: String,
    /// What it shows depends on the system, so the native program needs the recreated world of the machine.
    shows_system: bool,
}

/// What a run has shown.
#[derive(PartialEq, Eq)]
struct Shown {
    output: Vec<u8>,
    exit: Option<i64>,
}

/// What became of the command lines of a program, or of all programs of a package.
#[derive(Default)]
struct Tally {
    programs: usize,
    /// How many lines did the same, of how many: natively, and in the recreated world.
    native: (usize, usize),
    recreated: (usize, usize),
    slowest: f64,
    different: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.native = (self.native.0 + other.native.0, self.native.1 + other.native.1);
        self.recreated = (self.recreated.0 + other.recreated.0, self.recreated.1 + other.recreated.1);
        self.slowest = self.slowest.max(other.slowest);
        self.different.extend(other.different);
    }

    fn row(&self, name: &str) -> String {
        let of = |(same, all)| if all == 0 { "none".to_string() } else { format!("{same} of {all}") };
        let different = if self.different.is_empty() { "nothing".to_string() } else { self.different.join(", ") };
        let Tally { native, recreated, slowest, .. } = self;
        format!("| {name} | {} | {} | {slowest:.2} s | {different} |\n", of(*native), of(*recreated))
    }
}

/// Runs all programs, or those of these names, and prints a table; that of all programs goes into the documentation.
pub fn real(names: &[String]) -> Result<(), String> {
    if names.iter().any(|name| name.starts_with('-')) {
        return Err(USAGE.to_string());
    }
    let root = root()?;
    let folder = root.join("bench/real");
    let list = std::fs::read_to_string(folder.join("commands")).map_err(|error| format!("bench/real: {error}"))?;
    let is_chosen = |program: &Program| {
        names.is_empty() || names.iter().any(|name| *name == program.package || *name == program.path)
    };
    let programs: Vec<Program> = parse(&list)?.into_iter().filter(is_chosen).collect();
    if programs.is_empty() {
        return Err(format!("bench/real/commands has no such program; {USAGE}"));
    }
    let mut packages: Vec<&str> = programs.iter().map(|program| program.package.as_str()).collect();
    packages.dedup();
    let built = build(&root, &packages)?;
    let head = "as natively | as in the recreated world | slowest run | what differs |\n\
                | --- | ---: | ---: | ---: | --- |\n";
    print!("| program | {head}");
    let mut packages: Vec<(&str, Tally)> = Vec::new();
    for program in &programs {
        let tally = measure(&root, &folder.join("files"), &built, program)?;
        print!("{}", tally.row(&program.path));
        match packages.last_mut() {
            Some((package, all)) if *package == program.package => all.add(tally),
            _ => packages.push((&program.package, tally)),
        }
    }
    let mut table = format!("| package | {head}");
    for (package, tally) in &packages {
        let programs = if tally.programs == 1 { String::new() } else { format!(": {} programs", tally.programs) };
        table.push_str(&tally.row(&format!("{package}{programs}")));
    }
    print!("\n{table}");
    if names.is_empty() {
        write(&root, "docs/programs.md", (BEGIN, END), &table)?;
    }
    let different: usize = packages.iter().map(|(_, tally)| tally.different.len()).sum();
    if different == 0 { Ok(()) } else { Err(format!("{different} command lines do something else")) }
}

fn measure(root: &Path, files: &Path, built: &Path, program: &Program) -> Result<Tally, String> {
    let executable = built.join(&program.package).join(&program.path);
    let mut tally = Tally { programs: 1, ..Tally::default() };
    for line in &program.lines {
        let (is_same, seconds) = compare(root, files, &executable, line)?;
        let count = if line.shows_system { &mut tally.recreated } else { &mut tally.native };
        *count = (count.0 + usize::from(is_same), count.1 + 1);
        tally.slowest = tally.slowest.max(seconds);
        if !is_same {
            tally.different.push(format!("`{} {}`", program.path, line.arguments));
        }
    }
    Ok(tally)
}

/// Puts a table between the marks in a file of the documentation.
pub(crate) fn write(root: &Path, file: &str, (begin, end): (&str, &str), table: &str) -> Result<(), String> {
    let path = root.join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let marked = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = marked.ok_or_else(|| format!("{} has no place for the table", path.display()))?;
    std::fs::write(&path, format!("{before}{begin}\n{table}\n{end}{after}"))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Reads the list of programs: a line with package and path, and an indented line for each command line.
fn parse(list: &str) -> Result<Vec<Program>, String> {
    let mut programs: Vec<Program> = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let malformed = || format!("bench/real/commands: what is this? {line}");
        match line.strip_prefix("  ") {
            Some(arguments) => {
                let modelled = arguments.strip_prefix("! ");
                let line =
                    Line { arguments: modelled.unwrap_or(arguments).to_string(), shows_system: modelled.is_some() };
                programs.last_mut().ok_or_else(malformed)?.lines.push(line);
            }
            None => {
                let (package, path) = line.split_once(' ').ok_or_else(malformed)?;
                programs.push(Program { package: package.to_string(), path: path.to_string(), lines: Vec::new() });
            }
        }
    }
    Ok(programs)
}

/// The words of a command line; a blank after a backslash belongs to its word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let word = words.last_mut().expect("there is always a word");
        match character {
            '\\' if characters.peek() == Some(&' ') => word.extend(characters.next()),
            ' ' => words.push(String::new()),
            other => word.push(other),
        }
    }
    words
}

/// Builds what is missing of these packages; returns the folder of all.
pub(crate) fn build(root: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    let mut script = Command::new(root.join("scripts/real-programs.sh"));
    let output = script.args(packages).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run scripts/real-programs.sh: {error}"))?;
    if !output.status.success() {
        return Err("the programs cannot be built; the messages above say why".to_string());
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Whether a command line does the same in the machine as natively, and how long the machine took.
fn compare(root: &Path, files: &Path, executable: &Path, line: &Line) -> Result<(bool, f64), String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no room for temporary files: {error}"))?;
    let arguments = words(&line.arguments);
    let out = scratch.path().join("out");
    let start = Instant::now();
    let machine = in_machine(root, files, executable, &arguments, &out)?;
    let seconds = start.elapsed().as_secs_f64();
    let is_same = if line.shows_system {
        machine.exit.is_some() && does_as_predicted(root, &out)?
    } else {
        natively(files, executable, &arguments, scratch.path())? == machine
    };
    Ok((is_same, seconds))
}

/// Runs a program in a folder of its own, with copies of the files; never as root, to whom nothing is forbidden.
fn natively(files: &Path, executable: &Path, arguments: &[String], scratch: &Path) -> Result<Shown, String> {
    let home = scratch.join("home/user");
    std::fs::create_dir_all(&home).map_err(|error| format!("cannot create {}: {error}", home.display()))?;
    let copy = |from: &Path, to: &Path| {
        std::fs::copy(from, to).map(|_| ()).map_err(|error| format!("cannot copy {}: {error}", from.display()))
    };
    let program = scratch.join("program");
    copy(executable, &program)?;
    for file in names(files)? {
        copy(&files.join(&file), &home.join(&file))?;
    }
    let mut command = Command::new(&program);
    let status = std::fs::metadata(&home).map_err(|error| format!("cannot look at {}: {error}", home.display()))?;
    if status.uid() == 0 {
        let inside = names(&home)?.into_iter().map(|file| home.join(file));
        for path in inside.chain([scratch.to_path_buf(), home.clone()]) {
            let given = std::os::unix::fs::chown(&path, Some(USER), Some(USER));
            given.map_err(|error| format!("cannot change the owner of {}: {error}", path.display()))?;
        }
        command.uid(USER).gid(USER);
    }
    command.arg0(executable.file_name().unwrap_or_default()).args(arguments);
    let output = command.env_clear().current_dir(&home).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", executable.display()))?;
    Ok(Shown { output: without_end(output.stdout), exit: output.status.code().map(i64::from) })
}

/// Whether the native program takes the same branches and ends in the same way in the world that replay recreates.
fn does_as_predicted(root: &Path, out: &Path) -> Result<bool, String> {
    let mut command = Command::new(root.join("bin/secateur"));
    command.arg("replay").arg(out).arg("--quiet").env("SECATEUR_RUNTIME", root.join("lib/secateur"));
    let output = command.output().map_err(|error| format!("cannot run bin/secateur: {error}"))?;
    Ok(output.status.success())
}

fn in_machine(root: &Path, files: &Path, executable: &Path, arguments: &[String], out: &Path) -> Result<Shown, String> {
    let mut command = Command::new(root.join("bin/secateur"));
    command.arg("run").arg(executable).arg("--out").arg(out);
    command.args(["--jobs", "1", "--quiet", "--all-tests", "--show-output", "--no-confirm", "--no-report"]);
    for argument in arguments {
        command.arg("--arg").arg(argument);
    }
    for file in names(files)? {
        command.arg("--file").arg(files.join(file));
    }
    let output = command.env("SECATEUR_RUNTIME", root.join("lib/secateur")).output();
    let output = output.map_err(|error| format!("cannot run bin/secateur: {error}"))?;
    let lines = output.stdout.split_inclusive(|byte| *byte == b'\n');
    let shown: Vec<u8> = lines.flat_map(|line| line.strip_prefix(b"[1] ").unwrap_or(line)).copied().collect();
    let expected = std::fs::read_to_string(out.join("tests/expected.jsonl")).unwrap_or_default();
    let test: serde_json::Value =
        expected.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    Ok(Shown { output: without_end(shown), exit: test["end"]["exit"].as_i64().map(|code| code & 0xff) })
}

/// A text without the end of its last line, which is added for people when output is shown.
fn without_end(mut text: Vec<u8>) -> Vec<u8> {
    text.pop_if(|byte| *byte == b'\n');
    text
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}
