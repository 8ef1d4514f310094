//! Listens to a run and writes what it finds into the output folder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use secateur_c_tests::{Body, CTests, Function};
use secateur_explore::{
    self as explore, Counters, EndedPath, Event, Keeper, PathEnd, Subscriber, peak_memory, resident_memory,
};
use secateur_machine::{Bug, BugKind, End, Machine, State, SymbolSource};
use secateur_program::{BlockId, BranchId, FuncId, LocId, ORIGINAL_MAIN, Program};
use secateur_suite::bug::Native;
use secateur_suite::coverage::Ratio;
use secateur_suite::{
    BacktraceEntry, BugReport, CodeMap, Coverage, Expected, Object, OutDir, OutError, Prediction, Sample, Source,
    TestCase, TestWriter, Unwritten,
};

use crate::c_tests;
use crate::path_tree::PathTree;
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

/// What is kept of a path: its test, and what goes with it.
pub(crate) struct KeptPath {
    test: TestCase,
    prediction: Prediction,
    /// It becomes a test whatever the others are; if not, only a bug that nobody has reported, or the first return of a function does.
    wanted: bool,
    bug: Option<BugReport>,
    /// As a test in C, or why there is none, if a single function is tested.
    c_test: Option<Result<Body, String>>,
    /// What the path wrote to standard output and standard error, if that is to be shown.
    output: Option<(Vec<u8>, Vec<u8>)>,
}

/// Takes tests from paths that end.
pub(crate) struct TestKeeper {
    keep: Keep,
    show_output: bool,
    function: Option<Arc<Function>>,
    /// The bugs that it has seen: the first path to each is enough.
    bugs: BTreeSet<(BugKind, LocId)>,
}

impl TestKeeper {
    /// A path is worth a look, whether or not it is to become a test.
    fn is_of_interest(&mut self, program: &Program, path: &PathEnd<'_>, wanted: bool) -> bool {
        let is_new_bug = match path.end {
            End::Bug(bug) => self.bugs.insert((bug.kind, bug_place(program, bug))),
            _ => false,
        };
        // A bug may use up the coverage; a function must have a test in which it returns all the same.
        let returns = self.function.is_some() && matches!(path.end, End::Exit(_));
        wanted || is_new_bug || returns || self.show_output
    }
}

impl Keeper for TestKeeper {
    type Record = Box<KeptPath>;

    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Box<KeptPath>> {
        let wanted = match self.keep {
            Keep::NewCoverage => path.covers_new,
            Keep::All => true,
            Keep::Nothing => false,
        };
        if !self.is_of_interest(&machine.program, path, wanted) {
            return None;
        }
        let bug = match path.end {
            End::Bug(bug) => Some(bug_report(&machine.program, bug)),
            _ => None,
        };
        let test = test_case(machine, path.state);
        let prediction = prediction(path.state, expected(path.end, bug.as_ref()));
        let function = self.function.as_ref();
        let c_test = function.map(|function| c_tests::write_test(function, &test, &prediction, machine, path.state));
        let output = self.show_output.then(|| {
            let mut written = |descriptor| path.state.output.bytes(descriptor, &machine.pool, &mut machine.input);
            (written(1), written(2))
        });
        Some(Box::new(KeptPath { test, prediction, wanted, bug, c_test, output }))
    }
}

/// Writes tests, bugs and the timeline.
pub(crate) struct Recorder<'a> {
    out: &'a OutDir,
    program: Arc<Program>,
    writer: TestWriter,
    keep: Keep,
    show_output: bool,
    progress: Progress,
    /// The tree of paths.
    pub tree: PathTree,
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
        program: &Arc<Program>,
        keep: Keep,
        show_output: bool,
        progress: Progress,
        started: Instant,
        tree: PathTree,
    ) -> Recorder<'a> {
        Recorder {
            out,
            program: Arc::clone(program),
            writer: TestWriter::start(Arc::clone(out)),
            keep,
            show_output,
            progress,
            tree,
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
        let branches = machine.coverage.user_outcomes(&machine.program);
        self.out.append_timeline(&self.sample(counters, branches))?;
        self.tree.flush()
    }

    fn sample(&self, counters: &Counters, (covered, total): (u64, u64)) -> Sample {
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

    fn path_ended(&mut self, path: &EndedPath, kept: Option<Box<KeptPath>>) -> Result<(), OutError> {
        self.saw_input |= path.has_input;
        if let End::Unsupported(what) = &path.end {
            let at = innermost_user(&self.program, &what.stack).map_or(LocId(0), |(_, loc)| loc);
            let key = (what.what.clone(), self.program.describe(at));
            if !self.unsupported.contains_key(&key) {
                tracing::warn!(path = path.number, at = key.1, "unsupported: {}", key.0);
            }
            *self.unsupported.entry(key).or_default() += 1;
        }
        tracing::debug!(path = path.number, decisions = path.decisions, end = ?path.end, "path");
        let written = match kept {
            Some(kept) => self.write(path, *kept)?,
            None => None,
        };
        self.tree.path_ended(&self.program, path, written.as_deref().unwrap_or_default())
    }

    /// Writes what was kept of a path; gives the name of the file, if there is one.
    fn write(&mut self, path: &EndedPath, kept: KeptPath) -> Result<Option<String>, OutError> {
        let KeptPath { test, prediction, wanted, bug, c_test, output } = kept;
        let is_first_return = self.keep == Keep::NewCoverage && c_test.is_some() && self.out.tests() == 0;
        let is_first_return = is_first_return && matches!(path.end, End::Exit(_));
        let new_bug = bug.filter(|bug| self.known_bugs.insert((bug.kind.clone(), bug.file.clone(), bug.line)));
        let name = if let Some(bug) = new_bug {
            let name = self.out.write_bug(&bug, &test, &prediction)?;
            let line = format!("{}: {}: {} ({name})", place(&bug.file, bug.line), bug.kind, bug.message);
            tracing::info!("bug: {line}");
            self.progress.say(&line);
            Some(name)
        } else if wanted || is_first_return {
            Some(self.writer.write(test, prediction)?)
        } else {
            None
        };
        if let (Some(tests), Some(name), Some(c_test)) = (&mut self.c_tests, &name, c_test) {
            tests.add(name, c_test);
        }
        if let Some((output, errors)) = output {
            self.progress.output(path.number, &output, &mut std::io::stdout());
            self.progress.output(path.number, &errors, &mut std::io::stderr());
        }
        Ok(name)
    }

    fn show_progress(&mut self, run: &explore::Progress) -> Result<(), OutError> {
        let now = Instant::now();
        let (least, most) = SAMPLE_INTERVAL;
        let interval = ((now - self.started) / SAMPLES).clamp(least, most);
        if self.last_sample.is_none_or(|last| now - last >= interval) {
            self.last_sample = Some(now);
            self.out.append_timeline(&self.sample(&run.counters, run.branches))?;
            self.tree.flush()?;
        }
        if self.progress.is_due(now) {
            let sample = self.sample(&run.counters, run.branches);
            self.progress.show(&sample);
        }
        Ok(())
    }
}

impl Subscriber for Recorder<'_> {
    type Error = OutError;
    type Keeper = TestKeeper;

    fn keeper(&self) -> TestKeeper {
        let function = self.c_tests.as_ref().map(|tests| Arc::clone(tests.function()));
        TestKeeper { keep: self.keep, show_output: self.show_output, function, bugs: BTreeSet::new() }
    }

    fn receive(&mut self, event: Event<Box<KeptPath>>) -> Result<(), OutError> {
        match event {
            Event::PathEnded(path, kept) => self.path_ended(&path, kept),
            Event::FlipClosed(flip) => self.tree.flip_closed(&self.program, &flip),
            Event::Progress(progress) => self.show_progress(&progress),
        }
    }
}

/// The input of a path as a test case.
fn test_case(machine: &Machine, state: &State) -> TestCase {
    let environment = &machine.options().environment;
    let bytes_of =
        |first: u32, len: u32| (first..first + len).map(|index| machine.input.byte(index)).collect::<Vec<u8>>();
    let mut test = TestCase::default();
    test.args.extend(environment.fixed_arguments.iter().map(|argument| argument.clone().into_bytes()));
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

/// How the native program must end; `bug` is the report if the path ends in one.
fn expected(end: &End, bug: Option<&BugReport>) -> Expected {
    match (end, bug) {
        (End::Exit(status), _) => Expected::Exit(*status),
        (End::Assumed, _) => Expected::Assumed,
        (End::Ignored(kind), _) => Expected::Ignored { what: kind.name().to_string() },
        (End::Limit(limit), _) => Expected::Limit { what: limit.name().to_string() },
        (End::Unsupported(what), _) => Expected::Unsupported { what: what.what.clone() },
        (End::Bug(bug), report) => {
            let (file, line) = report.map(|report| (report.file.clone(), report.line)).unwrap_or_default();
            Expected::Bug { kind: bug.kind.name().to_string(), file, line, message: bug.message.clone() }
        }
    }
}

/// The place of a bug is the innermost one in the user's own code.
fn bug_place(program: &Program, bug: &Bug) -> LocId {
    innermost_user(program, &bug.stack).map_or(LocId(0), |(_, loc)| loc)
}

/// A bug as it is reported.
fn bug_report(program: &Program, bug: &Bug) -> BugReport {
    let (file, line) = file_line(program, bug_place(program, bug));
    let stack = bug.stack.iter().map(|(function, loc)| {
        let (file, line) = file_line(program, *loc);
        BacktraceEntry { function: program.functions[function.index()].name.to_string(), file, line }
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
