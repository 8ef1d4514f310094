//! Listens to a run and writes what it finds into the output folder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use secateur_c_tests::CTests;
use secateur_explore::{Counters, Fate, Flip, Notes, Observer, PathEnd, peak_memory, resident_memory};
use secateur_machine::{Bug, End, Machine, State, SymbolSource};
use secateur_program::{BlockId, BranchId, FuncId, LocId, ORIGINAL_MAIN, Program};
use secateur_suite::bug::Native;
use secateur_suite::coverage::Ratio;
use secateur_suite::{
    BugReport, CodeMap, Coverage, Expected, Frame, Object, OutDir, OutError, Prediction, Sample, Source, TestCase,
    TestWriter, Unwritten,
};

use crate::c_tests;
use crate::path_tree::{Growth, PathTree};
use crate::progress::Progress;

/// The time between two lines of `timeline.csv` grows with the run, between these bounds: a short run shall have a curve, too.
const SAMPLE_INTERVAL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));
/// How many lines the timeline has, roughly, before the time between them stops to grow.
const SAMPLES: u32 = 64;

/// Which paths become tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Those that add coverage.
    NewCoverage,
    /// All.
    All,
    /// None; bugs are written all the same.
    Nothing,
}

impl Keep {
    /// A path becomes a test.
    fn wants(self, path: &PathEnd<'_>) -> bool {
        match self {
            Keep::NewCoverage => path.covers_new,
            Keep::All => true,
            Keep::Nothing => false,
        }
    }
}

/// Writes tests, bugs and the timeline.
pub(crate) struct Recorder<'a> {
    out: &'a OutDir,
    writer: TestWriter,
    keep: Keep,
    show_output: bool,
    progress: Progress,
    /// The tree of paths.
    pub tree: PathTree,
    /// What is not written down yet.
    growth: Growth,
    /// When the loading of the program began.
    started: Instant,
    last_sample: Option<Instant>,
    /// Bugs by kind and place: each is reported once.
    known_bugs: BTreeSet<(String, String, u32)>,
    /// The tests in C, if a single function is tested.
    pub c_tests: Option<CTests>,
    /// What could not be modelled, by place, with the number of paths that ended there.
    pub unsupported: BTreeMap<(String, String), u64>,
    /// Whether any path had symbolic input.
    pub saw_input: bool,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(
        out: &'a Arc<OutDir>,
        keep: Keep,
        show_output: bool,
        progress: Progress,
        started: Instant,
        tree: PathTree,
    ) -> Recorder<'a> {
        Recorder {
            out,
            writer: TestWriter::start(Arc::clone(out)),
            keep,
            show_output,
            progress,
            tree,
            growth: Growth::default(),
            started,
            last_sample: None,
            known_bugs: BTreeSet::new(),
            c_tests: None,
            unsupported: BTreeMap::new(),
            saw_input: false,
        }
    }

    /// Waits until every test is written and ends the progress display.
    pub(crate) fn finish(&mut self) -> Result<(), OutError> {
        let written = self.writer.finish();
        self.progress.finish();
        written
    }

    /// The timeline ends with what the run came to.
    pub(crate) fn last_sample(&mut self, machine: &Machine, counters: &Counters) -> Result<(), OutError> {
        self.out.append_timeline(&self.sample(machine, counters))?;
        self.tree.grow(&mut self.growth)
    }

    fn sample(&self, machine: &Machine, counters: &Counters) -> Sample {
        let (covered, total) = machine.coverage.user_outcomes(&machine.program);
        Sample {
            time: self.started.elapsed().as_secs_f64(),
            paths: counters.paths(),
            pending: counters.pending,
            tests: self.out.tests(),
            bugs: self.known_bugs.len() as u64,
            branches_covered: covered,
            branches_total: total,
            memory: resident_memory().unwrap_or(0),
            peak_memory: peak_memory().unwrap_or(0),
            solver_time: counters.solver_time.as_secs_f64(),
        }
    }

    /// System calls are what costs, so that the tree is not written down piece by piece.
    fn write_much(&mut self) -> Result<(), OutError> {
        if self.growth.is_much() { self.tree.grow(&mut self.growth) } else { Ok(()) }
    }

    fn record_bug(
        &mut self,
        machine: &mut Machine,
        state: &State,
        report: &BugReport,
    ) -> Result<Option<String>, OutError> {
        if !self.known_bugs.insert((report.kind.clone(), report.file.clone(), report.line)) {
            return Ok(None);
        }
        let test = test_case(machine, state);
        let prediction = prediction(state, expected_bug(report));
        let name = self.out.write_bug(report, &test, &prediction)?;
        c_tests::add(self.c_tests.as_mut(), &name, &test, &prediction, machine, state);
        let line = format!("{}: {}: {} ({name})", place(&report.file, report.line), report.kind, report.message);
        tracing::info!("bug: {line}");
        self.progress.say(&line);
        Ok(Some(name))
    }
}

/// What a worker notes for itself: paths that become no test.
pub(crate) struct Sheet {
    growth: Growth,
    keep: Keep,
    /// Everything must be told.
    all: bool,
    saw_input: bool,
}

impl Notes for Sheet {
    fn path_ended(&mut self, machine: &Machine, path: &PathEnd<'_>) -> bool {
        if self.all || self.keep.wants(path) || matches!(path.end, End::Bug(_) | End::Unsupported(_)) {
            return false;
        }
        log(path);
        self.saw_input |= !path.state.symbols.is_empty();
        self.growth.path_ended(&machine.program, path, "");
        true
    }

    fn flip_closed(&mut self, machine: &Machine, flip: &Flip, fate: Fate) -> bool {
        self.growth.flip_closed(&machine.program, flip, fate);
        true
    }
}

fn log(path: &PathEnd<'_>) {
    tracing::debug!(path = path.number, decisions = path.state.path.len(), end = ?path.end, "path");
}

impl Observer for Recorder<'_> {
    type Error = OutError;
    type Notes = Sheet;

    fn notes(&self) -> Sheet {
        // A function must have a test in which it returns, whatever that covers.
        let all = self.show_output || self.c_tests.is_some();
        Sheet { growth: Growth::default(), keep: self.keep, all, saw_input: false }
    }

    fn read(&mut self, notes: &mut Sheet) -> Result<(), OutError> {
        self.saw_input |= notes.saw_input;
        self.growth.absorb(&mut notes.growth);
        self.write_much()
    }

    fn path_ended(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Result<(), OutError> {
        self.saw_input |= !path.state.symbols.is_empty();
        let mut written = None;
        let expected = match path.end {
            End::Exit(status) => Expected::Exit(*status),
            End::Assumed => Expected::Cut,
            End::Ignored(kind) => Expected::Ignored { what: kind.name().to_string() },
            End::Limit(limit) => Expected::Limit { what: limit.name().to_string() },
            End::Unsupported(what) => {
                let at = innermost_user(&machine.program, &what.stack).map_or(LocId(0), |(_, loc)| loc);
                let key = (what.what.clone(), machine.program.describe(at));
                if !self.unsupported.contains_key(&key) {
                    tracing::warn!(path = path.number, at = key.1, "unsupported: {}", key.0);
                }
                *self.unsupported.entry(key).or_default() += 1;
                Expected::Unsupported { what: what.what.clone() }
            }
            End::Bug(bug) => {
                let report = bug_report(&machine.program, bug);
                written = self.record_bug(machine, path.state, &report)?;
                expected_bug(&report)
            }
        };
        log(path);
        // A bug may use up the coverage; a function must have a test in which it returns all the same.
        let returns_first = self.c_tests.is_some() && self.out.tests() == 0 && matches!(path.end, End::Exit(_));
        let wanted = self.keep.wants(path) || (self.keep == Keep::NewCoverage && returns_first);
        if wanted && written.is_none() {
            let test = test_case(machine, path.state);
            let prediction = prediction(path.state, expected);
            let name = self.writer.write(test.clone(), prediction.clone())?;
            c_tests::add(self.c_tests.as_mut(), &name, &test, &prediction, machine, path.state);
            written = Some(name);
        }
        self.growth.path_ended(&machine.program, path, written.as_deref().unwrap_or_default());
        if self.show_output {
            let mut written = |descriptor| path.state.output.bytes(descriptor, &machine.pool, &mut machine.input);
            let (output, errors) = (written(1), written(2));
            self.progress.output(path.number, &output, &mut std::io::stdout());
            self.progress.output(path.number, &errors, &mut std::io::stderr());
        }
        self.write_much()
    }

    fn flip_closed(&mut self, machine: &Machine, flip: &Flip, fate: Fate) -> Result<(), OutError> {
        self.growth.flip_closed(&machine.program, flip, fate);
        self.write_much()
    }

    fn tick(&mut self, machine: &Machine, counters: &Counters) -> Result<(), OutError> {
        let now = Instant::now();
        let (least, most) = SAMPLE_INTERVAL;
        let interval = ((now - self.started) / SAMPLES).clamp(least, most);
        if self.last_sample.is_none_or(|last| now - last >= interval) {
            self.last_sample = Some(now);
            self.out.append_timeline(&self.sample(machine, counters))?;
            self.tree.grow(&mut self.growth)?;
        }
        if self.progress.is_due(now) {
            let sample = self.sample(machine, counters);
            self.progress.show(&sample);
        }
        Ok(())
    }
}

/// The input of a path as a test case.
fn test_case(machine: &Machine, state: &State) -> TestCase {
    let surroundings = &machine.options().surroundings;
    let bytes_of =
        |first: u32, len: u32| (first..first + len).map(|index| machine.input.byte(index)).collect::<Vec<u8>>();
    let mut test = TestCase::default();
    test.args.extend(surroundings.fixed_arguments.iter().map(|argument| argument.clone().into_bytes()));
    for symbol in state.symbols.in_order() {
        let bytes = bytes_of(symbol.first, symbol.len);
        match &symbol.source {
            SymbolSource::Object => {
                test.objects.push(Object { name: symbol.name.clone(), bytes, source: Source::Make });
            }
            SymbolSource::Answer(answer) => {
                let bytes = vec![u8::from(*answer)];
                test.objects.push(Object { name: symbol.name.clone(), bytes, source: Source::Make });
            }
            SymbolSource::Nondet(c_type) => {
                let source = Source::Nondet { c_type: c_type.to_string() };
                test.objects.push(Object { name: symbol.name.clone(), bytes, source });
            }
            SymbolSource::ArgumentCount => {}
            SymbolSource::Argument(_) => test.args.push(c_string(bytes)),
            SymbolSource::Stdin => test.stdin = Some(bytes),
            SymbolSource::File => test.files.push((symbol.name.clone(), bytes)),
            SymbolSource::Environment => test.env.push((symbol.name.clone(), c_string(bytes))),
            SymbolSource::Unwritten { fresh, offset } => {
                test.unwritten.push(Unwritten { name: symbol.name.clone(), fresh: *fresh, offset: *offset, bytes });
            }
        }
    }
    test
}

/// The bytes before the first 0.
fn c_string(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    bytes
}

fn prediction(state: &State, end: Expected) -> Prediction {
    Prediction { end, branches: state.trace.count(), hash: state.trace.hash(), log: state.trace.log() }
}

fn expected_bug(report: &BugReport) -> Expected {
    Expected::Bug {
        kind: report.kind.clone(),
        file: report.file.clone(),
        line: report.line,
        message: report.message.clone(),
    }
}

/// A bug as it is reported: its place is the innermost one in the user's own code.
fn bug_report(program: &Program, bug: &Bug) -> BugReport {
    let at = innermost_user(program, &bug.stack).map_or(LocId(0), |(_, loc)| loc);
    let (file, line) = file_line(program, at);
    let stack = bug.stack.iter().map(|(function, loc)| {
        let (file, line) = file_line(program, *loc);
        Frame { function: program.functions[function.index()].name.to_string(), file, line }
    });
    BugReport {
        kind: bug.kind.name().to_string(),
        message: bug.message.clone(),
        file,
        line,
        stack: stack.collect(),
        test: String::new(),
        native: Native::default(),
    }
}

fn innermost_user(program: &Program, stack: &[(FuncId, LocId)]) -> Option<(FuncId, LocId)> {
    let user = stack.iter().find(|(function, _)| program.functions[function.index()].user);
    user.or(stack.first()).copied()
}

pub(crate) fn file_line(program: &Program, loc: LocId) -> (String, u32) {
    match program.locations.get(loc.index()) {
        Some(at) if at.line > 0 => (program.files[at.file as usize].clone(), at.line),
        _ => (String::new(), 0),
    }
}

/// `file:line` for people.
pub(crate) fn place(file: &str, line: u32) -> String {
    if line == 0 { "unknown place".to_string() } else { format!("{file}:{line}") }
}

/// What the machine covered, in the form that is written.
pub(crate) fn coverage(machine: &Machine, code: &CodeMap) -> (Coverage, secateur_suite::Counts) {
    let mut coverage = Coverage::default();
    for (index, branch) in machine.program.branches.iter().enumerate() {
        let id = BranchId(index as u32);
        for outcome in (0..branch.outcomes).filter(|outcome| machine.coverage.taken(id, *outcome)) {
            coverage.cover_branch(id, outcome);
        }
    }
    for (index, function) in machine.program.functions.iter().enumerate() {
        let id = FuncId(index as u32);
        let blocks = function.body.as_ref().map_or(0, |body| body.blocks.len() as u32);
        for block in (0..blocks).map(BlockId).filter(|block| machine.coverage.entered(id, *block)) {
            coverage.cover_block(id, block);
        }
    }
    let counts = coverage.counts(code);
    (coverage, counts)
}

/// How many outcomes of the branches of one function were covered.
pub(crate) fn function_branches(machine: &Machine, function: &str) -> Ratio {
    let function = if function == "main" { ORIGINAL_MAIN } else { function };
    let mut ratio = Ratio::default();
    for (index, branch) in machine.program.branches.iter().enumerate() {
        if *machine.program.functions[branch.function.index()].name != *function {
            continue;
        }
        ratio.total += u64::from(branch.outcomes);
        let covered = (0..branch.outcomes).filter(|outcome| machine.coverage.taken(BranchId(index as u32), *outcome));
        ratio.covered += covered.count() as u64;
    }
    ratio
}
