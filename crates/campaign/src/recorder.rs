//! Subscribes to an exploration and writes what it finds into the output folder.

use std::sync::Arc;
use std::time::{Duration, Instant};

use secateur_c_tests::CTests;
use secateur_explore::{Counters, EndedPath, Event, PendingChange, Progress, Subscriber};
use secateur_machine::{End, Machine};
use secateur_program::Program;
use secateur_suite::replay::Confirmer;
use secateur_suite::{BugReport, OutDir, OutError, Sample, TestWriter};

use crate::bugs::SeenBugs;
use crate::first_bug::FirstBug;
use crate::interpolants::Interpolants;
use crate::journal::JournalWriter;
use crate::keep::Keep;
use crate::keeper::{KeptPath, TestKeeper};
use crate::path_tree::PathTree;
use crate::place::file_and_line;
use crate::reasons::Omissions;
use crate::stored::Step;
use crate::timeline::{self, Timeline};
use crate::unsupported::UnsupportedPlaces;
use crate::watcher::{RoundProgress, Watcher};

/// Writes tests, bugs, the path tree and the timeline.
pub(crate) struct Recorder<'a> {
    out: &'a OutDir,
    program: Arc<Program>,
    writer: TestWriter,
    keep: Keep,
    timeline: Timeline,
    watcher: &'a mut dyn Watcher,
    bugs: SeenBugs,
    pub tree: PathTree,
    /// The tests in C, if a single function is tested.
    pub c_tests: Option<CTests>,
    pub unsupported: UnsupportedPlaces,
    /// What is found and what is pending, if the run can be continued.
    pub journal: Option<JournalWriter>,
    /// Checks bugs natively, unless nobody wants that.
    pub confirmer: Option<Confirmer>,
    /// What was left out, for the verdict.
    pub omissions: Omissions,
    /// What ended subsumed paths.
    pub interpolants: Interpolants,
    /// Stops the campaign, if it should not look for all bugs.
    pub first_bug: Option<FirstBug>,
    /// The round of a campaign that learns, and how many branch outcomes were taken when it began.
    round: (u32, u64),
    /// Whether any path had symbolic input.
    pub has_input: bool,
    is_silent: bool,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(
        out: &'a Arc<OutDir>,
        program: &Arc<Program>,
        keep: Keep,
        c_tests: Option<CTests>,
        tree: PathTree,
        started: Instant,
        watcher: &'a mut dyn Watcher,
    ) -> Recorder<'a> {
        Recorder {
            out,
            program: Arc::clone(program),
            writer: TestWriter::start(Arc::clone(out)),
            keep,
            timeline: Timeline::new(started),
            watcher,
            bugs: SeenBugs::default(),
            tree,
            c_tests,
            unsupported: UnsupportedPlaces::default(),
            journal: None,
            confirmer: None,
            omissions: Omissions::default(),
            interpolants: Interpolants::default(),
            first_bug: None,
            round: (0, 0),
            has_input: false,
            is_silent: false,
        }
    }

    /// The exploration is over: waits until every test is written.
    pub(crate) fn finish(&mut self) -> Result<(), OutError> {
        let written = self.writer.finish();
        self.watcher.explored();
        written
    }

    /// Ends the timeline with the final counts.
    pub(crate) fn last_sample(&mut self, machine: &Machine, counters: &Counters) -> Result<(), OutError> {
        let branches = machine.program.source_outcomes(|branch, outcome| machine.coverage.taken(branch, outcome));
        self.out.append_timeline(&self.sample(counters, branches))?;
        self.tree.flush()
    }

    /// Tells the user something.
    pub(crate) fn warn(&mut self, sentence: &str) {
        tracing::warn!("{sentence}");
        self.watcher.warn(sentence);
    }

    /// When the campaign began, as if it had never been interrupted.
    pub(crate) fn began(&self) -> Instant {
        self.timeline.started()
    }

    /// Earlier runs have taken this long.
    pub(crate) fn began_before(&mut self, earlier: Duration) {
        let now = self.timeline.started();
        self.timeline = Timeline::new(now.checked_sub(earlier).unwrap_or(now));
    }

    /// Takes up what an earlier run has found. It was announced then.
    pub(crate) fn replay(&mut self, step: &mut Step) -> Result<(), OutError> {
        self.is_silent = true;
        let taken = self.take_up(step);
        self.is_silent = false;
        taken
    }

    /// Takes up what was found elsewhere.
    pub(crate) fn take_up(&mut self, step: &mut Step) -> Result<(), OutError> {
        for (branch, outcome, count) in step.infeasible() {
            self.tree.sides.entry(branch, outcome).infeasible += count;
        }
        for event in std::mem::take(&mut step.events) {
            self.receive(event.restored())?;
        }
        Ok(())
    }

    fn sample(&self, counters: &Counters, branches: (u64, u64)) -> Sample {
        let (tests, bugs) = (self.out.tests(), self.bugs.len() as u64);
        Sample { tests, bugs, round: self.round.0, ..timeline::sample(self.timeline.seconds(), counters, branches) }
    }

    fn path_ended(&mut self, path: &EndedPath, kept: Option<Box<KeptPath>>) -> Result<(), OutError> {
        self.has_input |= path.has_input;
        if let End::Unsupported(what) = &path.end {
            self.unsupported.add(&self.program, path.number, what);
        }
        self.omissions.path_ended(&self.program, path);
        self.interpolants.path_ended(&self.program, path);
        tracing::debug!(path = path.number, decisions = path.decisions, end = ?path.end, "path");
        let written = match kept {
            Some(kept) => self.write(path.number, &path.end, *kept)?,
            None => None,
        };
        self.tree.path_ended(&self.program, path, written.as_deref().unwrap_or_default())
    }

    /// Writes what was kept of a path or a run, if it is still wanted; returns the name of the file.
    fn write(&mut self, number: u64, end: &End, kept: KeptPath) -> Result<Option<String>, OutError> {
        let KeptPath { test, prediction, wanted, bug, c_test, output } = kept;
        let name = if let Some(mut bug) = self.new_bug(end, bug) {
            bug.test = self.out.write_bug(&bug, &test, &prediction)?;
            let place = file_and_line(&bug.file, bug.line);
            tracing::info!("bug: {place}: {}: {} ({})", bug.kind, bug.message, bug.test);
            if !self.is_silent {
                self.watcher.bug_found(&bug);
            }
            if let Some(confirmer) = &mut self.confirmer {
                confirmer.bug_found(&prediction.end);
            }
            if let Some(first) = &mut self.first_bug {
                first.bug_written(self.out, self.confirmer.as_mut());
            }
            Some(bug.test)
        } else if wanted || c_test.is_some() && self.keep.wants_first_return(end, self.out.tests()) {
            Some(self.writer.write(test, prediction)?)
        } else {
            None
        };
        if let (Some(tests), Some(name), Some(c_test)) = (&mut self.c_tests, &name, c_test) {
            tests.add(name, c_test);
        }
        if let Some((output, errors)) = output {
            self.watcher.output(number, &output, &errors);
        }
        Ok(name)
    }

    /// Writes what the run of an input has shown. If the input becomes a path, all else is up to that.
    fn input_ran(&mut self, end: &End, kept: KeptPath) -> Result<(), OutError> {
        let wanted = kept.wanted && self.keep != Keep::All;
        self.write(0, end, KeptPath { wanted, output: None, ..kept }).map(drop)
    }

    /// The bug of a path, unless any worker has found it before.
    fn new_bug(&mut self, end: &End, report: Option<BugReport>) -> Option<BugReport> {
        match end {
            End::Bug(bug) => report.filter(|report| self.bugs.is_new(&self.program, bug, !report.needs.is_empty())),
            _ => None,
        }
    }

    fn progress(&mut self, progress: &Progress) -> Result<(), OutError> {
        let now = Instant::now();
        let covered = progress.branches.0;
        let round = progress.selection.map(|selection| {
            if self.round.0 != selection.round {
                self.round = (selection.round, covered);
            }
            RoundProgress { selection, gained: covered.saturating_sub(self.round.1) }
        });
        if self.timeline.is_due(now) {
            self.out.append_timeline(&self.sample(&progress.counters, progress.branches))?;
            self.tree.flush()?;
        }
        if self.watcher.wants_sample(now) {
            let sample = self.sample(&progress.counters, progress.branches);
            self.watcher.sample(&sample, round.as_ref());
        }
        Ok(())
    }
}

impl Subscriber for Recorder<'_> {
    type Error = OutError;
    type Keeper = TestKeeper;

    fn keeper(&self) -> TestKeeper {
        let function = self.c_tests.as_ref().map(|tests| Arc::clone(tests.function()));
        TestKeeper::new(self.keep, self.watcher.wants_output(), function)
    }

    fn wants_pending(&self) -> bool {
        self.journal.is_some()
    }

    fn delivered(&mut self, worker: usize, change: Option<(PendingChange, Counters)>) -> Result<(), OutError> {
        if let Some(journal) = &mut self.journal {
            journal.delivered(worker, change);
        }
        Ok(())
    }

    fn has_bug(&self) -> bool {
        self.first_bug.as_ref().is_some_and(|first| first.found)
    }

    fn receive(&mut self, event: Event<Box<KeptPath>>) -> Result<(), OutError> {
        if let Some(journal) = &mut self.journal {
            journal.receive(&event);
        }
        match event {
            Event::PathEnded(path, kept) => self.path_ended(&path, kept),
            Event::InputRan(end, kept) => self.input_ran(&end, *kept),
            Event::FlipClosed(flip) => {
                self.omissions.flip_closed(&flip);
                self.tree.flip_closed(&self.program, &flip)
            }
            Event::SideRefuted(_) => Ok(()),
            Event::Progress(progress) => self.progress(&progress),
        }
    }
}
