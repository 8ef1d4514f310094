//! The progress of a run: two lines that are redrawn on a terminal, a line every few seconds elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use secateur_campaign::{BackwardProgress, RoundProgress, Watcher, file_and_line};
use secateur_explore::SelectionStatus;
use secateur_suite::{BugReport, Sample};

use crate::text;

/// The display on a terminal. The second line is short enough for every terminal; the first is truncated.
const TEMPLATE: &str = "{spinner} {elapsed:>4}  {wide_msg}\n        {prefix}";
/// Runs that are shorter than this show no progress: on a terminal, and elsewhere.
const FIRST_AFTER: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(2));
/// How often the display is updated: on a terminal, and elsewhere.
const INTERVAL: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// A progress display on standard error.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    next: Instant,
    quiet: bool,
    show_output: bool,
}

/// Prints lines above the display, from any thread.
#[derive(Clone)]
pub(crate) struct Above(Option<ProgressBar>);

impl Above {
    pub(crate) fn say(&self, line: &str) {
        self.print(|| eprintln!("{line}"));
    }

    fn print(&self, print: impl FnOnce()) {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Progress {
    /// `show_output` prints what the program writes, even if `quiet` suppresses everything else.
    pub(crate) fn new(quiet: bool, show_output: bool) -> Progress {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            // Nothing is drawn until the first values are set.
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
                bar.set_style(style);
            }
            bar
        });
        let first_after = if bar.is_some() { FIRST_AFTER.0 } else { FIRST_AFTER.1 };
        Progress { bar, next: Instant::now() + first_after, quiet, show_output }
    }

    /// A handle for printing above the display, even if nothing else is to be printed.
    pub(crate) fn above(&self) -> Above {
        Above(self.bar.clone())
    }

    /// Shows how far the run is after some seconds.
    fn show(&mut self, time: f64, work: String, state: String) {
        let interval = match &self.bar {
            Some(bar) => {
                bar.set_prefix(state);
                bar.set_message(work);
                bar.tick();
                INTERVAL.0
            }
            None => {
                eprintln!("{time:>5.0}s  {work}, {state}");
                INTERVAL.1
            }
        };
        self.next = Instant::now() + interval;
    }

    /// Prints what a path wrote to one of its streams, each line after the number of the path.
    fn print_output(&self, path: u64, written: &[u8], to: &mut dyn Write) {
        let mut text = Vec::new();
        for line in written.split_inclusive(|byte| *byte == b'\n') {
            text.extend_from_slice(format!("[{path}] ").as_bytes());
            text.extend_from_slice(line);
        }
        if text.last().is_some_and(|last| *last != b'\n') {
            text.push(b'\n');
        }
        self.above().print(|| {
            // Exploration goes on even if the pipe is closed.
            let _ = to.write_all(&text).and_then(|()| to.flush());
        });
    }
}

impl Watcher for Progress {
    fn bug_found(&mut self, bug: &BugReport) {
        if !self.quiet {
            let at = file_and_line(&bug.file, bug.line);
            self.above().say(&format!("{at}: {}: {} ({})", bug.kind, bug.message, bug.test));
        }
    }

    fn warn(&mut self, sentence: &str) {
        self.above().say(&format!("secateur: {sentence}"));
    }

    fn wants_output(&self) -> bool {
        self.show_output
    }

    fn output(&mut self, path: u64, output: &[u8], errors: &[u8]) {
        self.print_output(path, output, &mut std::io::stdout());
        self.print_output(path, errors, &mut std::io::stderr());
    }

    fn wants_sample(&self, now: Instant) -> bool {
        !self.quiet && now >= self.next
    }

    fn sample(&mut self, sample: &Sample, round: Option<&RoundProgress>) {
        let rate = sample.paths as f64 / sample.time.max(0.001);
        let subsumed = match sample.subsumed {
            0 => String::new(),
            number => format!(", {} subsumed", text::grouped(number)),
        };
        let work = format!(
            "{} ({}/s){subsumed}, {} pending, {}, {}",
            text::count(sample.paths, "path"),
            text::grouped(rate as u64),
            text::grouped(sample.pending),
            text::count(sample.tests, "test"),
            text::count(sample.bugs, "bug"),
        );
        let (covered, total) = (sample.branches_covered, sample.branches_total);
        let percent = if total == 0 { 100.0 } else { covered as f64 * 100.0 / total as f64 };
        let state = format!("branches {covered}/{total} ({percent:.1}%), {}", text::size(sample.memory));
        let state = format!("{state}{}", round.map(round_text).unwrap_or_default());
        self.show(sample.time, work, state);
    }

    fn searching(&mut self, target: &str, time: f64, progress: &BackwardProgress) {
        let BackwardProgress { segments, pending, depth, deferred, distance, .. } = *progress;
        let work =
            format!("{target}: {} backwards, {} pending", text::count(segments, "segment"), text::grouped(pending));
        let mut state =
            format!("{} deep, {} deferred", text::count(depth.into(), "call"), text::grouped(deferred.into()));
        if let Some(distance) = distance.filter(|distance| distance.is_finite()) {
            state = format!("{state}, best distance {distance:.3}");
        }
        self.show(time, work, state);
    }

    fn explored(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// `; round 3 of 24: 120 features, 60% kept, 12 branches gained`.
fn round_text(round: &RoundProgress) -> String {
    let SelectionStatus { round: number, rounds, features, kept } = round.selection;
    let selection = match features {
        0 => "no pruning".to_string(),
        _ => format!("{}, {:.0}% kept", text::count(features, "feature"), 100.0 * kept),
    };
    format!("; round {number} of {rounds}: {selection}, {} more branch outcomes", text::grouped(round.gained))
}
