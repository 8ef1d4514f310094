//! Runs real programs, built with `secateur cc`, on ordinary command lines: in the machine they must print and return
//! what they do natively.
//!
//! The programs are Debian source packages, fetched and built in the cache (`scripts/real-programs.sh`); `bench/real` has
//! the command lines, and the files that they are about.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::bench::root;

const USAGE: &str = "usage: cargo xtask bench-real [PROGRAM…], such as coreutils or src/sort";

/// A program and its command lines.
struct Program {
    package: String,
    /// Below the folder of the package.
    path: String,
    lines: Vec<String>,
}

/// What a run has shown.
#[derive(PartialEq, Eq)]
struct Shown {
    output: Vec<u8>,
    exit: Option<i64>,
}

/// Runs all programs, or those of these names, and prints a table.
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
    let built = build(&root, &programs)?;
    println!("| program | as natively | slowest run | first difference |\n| --- | ---: | ---: | --- |");
    let (mut same, mut all) = (0, 0);
    for program in &programs {
        let executable = built.join(&program.package).join(&program.path);
        let (mut passed, mut slowest, mut first) = (0, 0.0, String::new());
        for line in &program.lines {
            let (is_same, seconds) = compare(&root, &folder.join("files"), &executable, &words(line))?;
            slowest = f64::max(slowest, seconds);
            passed += usize::from(is_same);
            if !is_same && first.is_empty() {
                first = format!("`{line}`");
            }
        }
        println!("| {} | {passed} of {} | {slowest:.2} s | {first} |", program.path, program.lines.len());
        (same, all) = (same + passed, all + program.lines.len());
    }
    println!("\n{same} of {all} command lines print and return the same");
    if same == all { Ok(()) } else { Err("some programs do not behave as natively".to_string()) }
}

/// Reads the list of programs: a line with package and path, and an indented line for each command line.
fn parse(list: &str) -> Result<Vec<Program>, String> {
    let mut programs: Vec<Program> = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let malformed = || format!("bench/real/commands: what is this? {line}");
        match line.strip_prefix("  ") {
            Some(arguments) => programs.last_mut().ok_or_else(malformed)?.lines.push(arguments.to_string()),
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

/// Builds what is missing; returns the folder of all packages.
fn build(root: &Path, programs: &[Program]) -> Result<PathBuf, String> {
    let mut packages: Vec<&str> = programs.iter().map(|program| program.package.as_str()).collect();
    packages.dedup();
    let mut script = Command::new(root.join("scripts/real-programs.sh"));
    let output = script.args(packages).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run scripts/real-programs.sh: {error}"))?;
    if !output.status.success() {
        return Err("the programs cannot be built; the messages above say why".to_string());
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Whether a command line does the same in the machine as natively, and how long that took.
fn compare(root: &Path, files: &Path, executable: &Path, arguments: &[String]) -> Result<(bool, f64), String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no room for temporary files: {error}"))?;
    let native = natively(files, executable, arguments, &scratch.path().join("home/user"))?;
    let start = Instant::now();
    let machine = in_machine(root, files, executable, arguments, &scratch.path().join("out"))?;
    Ok((native == machine, start.elapsed().as_secs_f64()))
}

/// Runs a program in a folder of its own, with copies of the files.
fn natively(files: &Path, executable: &Path, arguments: &[String], folder: &Path) -> Result<Shown, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    for file in names(files)? {
        let copied = std::fs::copy(files.join(&file), folder.join(&file));
        copied.map_err(|error| format!("cannot copy {file}: {error}"))?;
    }
    let mut command = Command::new(executable);
    command.arg0(executable.file_name().unwrap_or_default()).args(arguments);
    let output = command.env_clear().current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", executable.display()))?;
    Ok(Shown { output: without_end(output.stdout), exit: output.status.code().map(i64::from) })
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
