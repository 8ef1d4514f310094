//! What is shown while a run goes on: one line that changes on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use secateur_suite::Sample;

use crate::text;

/// Nothing is shown for runs that are over before this.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a line is printed when the output is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// A progress display on standard error.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    last_line: Option<Instant>,
    quiet: bool,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Progress {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, started: Instant::now(), last_line: None, quiet }
    }

    /// Shows how the run stands.
    pub(crate) fn show(&mut self, sample: &Sample) {
        if self.quiet || self.started.elapsed() < PATIENCE {
            return;
        }
        let rate = sample.paths as f64 / sample.time.max(0.001);
        let line = format!(
            "{} paths ({rate:.0}/s), {} pending, {} tests, {} bugs, branches {}/{}, {}",
            sample.paths,
            sample.pending,
            sample.tests,
            sample.bugs,
            sample.branches_covered,
            sample.branches_total,
            text::size(sample.memory)
        );
        match &self.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => {
                let now = Instant::now();
                if self.last_line.is_none_or(|last| now - last >= LINE_INTERVAL) {
                    self.last_line = Some(now);
                    eprintln!("{:>5.0}s  {line}", sample.time);
                }
            }
        }
    }

    /// Prints a line above the display.
    pub(crate) fn say(&self, line: &str) {
        if self.quiet {
            return;
        }
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// Prints what a path of the program wrote to its standard output or error on ours.
    pub(crate) fn output(&self, path: u64, written: &[u8], to: &mut dyn Write) {
        let mut text = Vec::new();
        for line in written.split_inclusive(|byte| *byte == b'\n') {
            text.extend_from_slice(format!("[{path}] ").as_bytes());
            text.extend_from_slice(line);
        }
        if text.last().is_some_and(|last| *last != b'\n') {
            text.push(b'\n');
        }
        // A closed pipe is no reason to stop exploring.
        let mut print = || {
            let _ = to.write_all(&text).and_then(|()| to.flush());
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the display.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
