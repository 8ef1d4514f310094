//! The bugs with what helps to understand them: the input, the call stack, and how to replay them.

use crate::{input, replay_command};
use secateur_suite::bug::{self, BacktraceEntry, Native};
use secateur_suite::out_dir::{BUGS, OutDir, Portion, read_folder};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Bug {
    kind: String,
    description: &'static str,
    cwe: Option<u32>,
    message: String,
    /// What the callers of the function under test must not do.
    needs: String,
    file: String,
    line: u32,
    stack: Vec<BacktraceEntry>,
    test: String,
    inputs: Vec<input::Shown>,
    replay: String,
    #[serde(flatten)]
    native: Native,
}

pub(crate) fn list(out: &OutDir) -> Vec<Bug> {
    // A bug whose input cannot be read is still shown.
    let mut stored = read_folder(out.path(), BUGS, Portion::ALL).unwrap_or_default().into_iter();
    let bugs = out.bugs().into_iter().zip(1..);
    bugs.map(|(report, number)| {
        let info = bug::kind_info(&report.kind);
        let name = format!("{BUGS}/{number:06}");
        Bug {
            description: info.map_or("", |info| info.description),
            cwe: info.and_then(|info| info.cwe),
            inputs: stored.next().map_or_else(Vec::new, |stored| input::show(&stored.test)),
            replay: replay_command(out, Some(&name)),
            kind: report.kind,
            needs: bug::precondition(&report.needs),
            message: report.message,
            file: report.file,
            line: report.line,
            stack: report.stack,
            test: report.test,
            native: report.native,
        }
    })
    .collect()
}
