//! How many branches of a parser a corpus covers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::build::{Built, output};
use super::tool::Product;

/// What a corpus covers.
pub struct Covered {
    pub branches: u64,
    /// All branches of the parser.
    pub total: u64,
    /// How many inputs there are.
    pub files: usize,
}

/// Runs all files of the folders, and has llvm-cov count.
pub fn of(built: &Built, folders: &[PathBuf]) -> Result<Covered, String> {
    let mut files = Vec::new();
    folders.iter().for_each(|folder| collect(folder, &mut files));
    let profiles = built.empty_folder("profiles")?;
    let program = built.product(Product::Coverage);
    let mut command = Command::new(&program);
    command.env("LLVM_PROFILE_FILE", profiles.join("%m.profraw")).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child =
        command.stderr(Stdio::null()).spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if let Some(mut list) = child.stdin.take() {
        for file in &files {
            writeln!(list, "{}", file.display()).map_err(|error| format!("{}: {error}", program.display()))?;
        }
    }
    child.wait().map_err(|error| error.to_string())?;
    let mut raw = Vec::new();
    collect(&profiles, &mut raw);
    let merged = profiles.join("merged.profdata");
    output(Command::new("llvm-profdata-19").arg("merge").args(&raw).arg("-o").arg(&merged))?;
    let mut export = Command::new("llvm-cov-19");
    export.args(["export", "-summary-only", "-ignore-filename-regex=bench/parsers/"]);
    export.arg(format!("-instr-profile={}", merged.display())).arg(&program);
    let summary: Value = serde_json::from_str(&output(&mut export)?).map_err(|error| error.to_string())?;
    let branches = &summary["data"][0]["totals"]["branches"];
    let number = |name: &str| branches[name].as_u64().ok_or_else(|| format!("llvm-cov gives no {name} of branches"));
    Ok(Covered { branches: number("covered")?, total: number("count")?, files: files.len() })
}

/// Adds all files below a folder, but not what a tool writes beside its inputs.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let is_text = path.extension().is_some_and(|extension| extension == "txt" || extension == "sarif");
        if path.is_dir() {
            collect(&path, files);
        } else if !is_text {
            files.push(path);
        }
    }
}
