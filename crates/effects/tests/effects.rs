//! The effect of a segment is right: for the path that it was made from, and for every other path that reaches the same
//! point and meets the conditions.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rustc_hash::FxHashMap;
use secateur_effects::{Effect, Failure, LiveSlotCache, Point};
use secateur_explore::{Event, Keeper, Limits, PathEnd, Settings, Subscriber, Tuning, search};
use secateur_expr::Expr;
use secateur_machine::{Decision, Event as MachineEvent, LiveSlots, Location, Machine, ObjectKind, Options, State};
use secateur_program::{FuncId, LoadOptions, OptLevel, Program, Runtime, load};
use secateur_solver::Solver;

/// How many stretches of each path are compared, and how many instructions each may have.
const STRETCHES: usize = 40;
const LONGEST: u64 = 3_000;
/// How many bytes of each object are compared.
const COMPARED: u64 = 256;

#[test]
fn effects_hold_on_every_path() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let runtime = std::env::var_os("SECATEUR_RUNTIME").map_or_else(|| root.join("lib/secateur"), PathBuf::from);
    let mut files = Vec::new();
    for folder in ["bug", "clean", "memory", "float", "input"] {
        let entries = std::fs::read_dir(root.join("tests/programs").join(folder)).expect("the corpus is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let (next, all) = (AtomicUsize::new(0), Counts::default());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { break };
            let opt_level = if index % 2 == 0 { OptLevel::O0 } else { OptLevel::O1 };
            if let Some(program) = load_program(file, &runtime, opt_level) {
                check(&program, file, &all);
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let Counts { own, other, diverged, not_expressible } = &all;
    let [own, other, without] = [own, other, not_expressible].map(|count| count.load(Ordering::Relaxed));
    assert!(own > 1_500 && other > 5_000 && without < own / 50, "{all:?}");
    assert_eq!(diverged.load(Ordering::Relaxed), 0, "{all:?}");
}

/// Runs the first instructions of every block of a program from a state about which nothing is known.
#[test]
fn a_state_starts_anywhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join("crates/explore/tests/programs/stages.c");
    let program = load_program(&file, &root.join("lib/secateur"), OptLevel::O0).expect("it can be loaded");
    let live: Rc<dyn LiveSlots> = Rc::new(LiveSlotCache::new(Arc::clone(&program)));
    let mut machine = Machine::new(Arc::clone(&program), Options::default());
    let (mut started, mut decided) = (0, 0);
    for (function, body) in (0..).zip(&program.functions).filter_map(|(id, f)| Some((FuncId(id), f.body.as_ref()?))) {
        for block in &body.blocks {
            let mut state = machine.start_anywhere(function, block.start, Rc::clone(&live));
            if let MachineEvent::Decision(decision) = machine.run(&mut state, 100) {
                decided += u32::from(machine.pool.has_hole(decision.chosen.condition));
            }
            machine.leave_holes();
            started += 1;
        }
    }
    assert!(started > 5 && decided > 2, "{decided} of {started}");
}

/// How many stretches were compared.
#[derive(Default, Debug)]
struct Counts {
    /// With the path that they were made from.
    own: AtomicU64,
    /// With others.
    other: AtomicU64,
    /// Not at all, since holes cannot express what they do.
    not_expressible: AtomicU64,
    /// Not at all, since the machine went another way on holes.
    diverged: AtomicU64,
}

fn load_program(file: &Path, runtime: &Path, opt_level: OptLevel) -> Option<Arc<Program>> {
    let options = LoadOptions {
        inputs: vec![file.to_path_buf()],
        opt_level,
        runtime: Runtime::at(runtime),
        shims: secateur_machine::shim_names(),
        ..LoadOptions::default()
    };
    // Some programs need options that are not given here.
    Some(Arc::new(load(&options).ok()?.program))
}

fn check(program: &Arc<Program>, file: &Path, counts: &Counts) {
    let searcher = search::by_name("bfs", 0, &Tuning::default()).expect("the name is known");
    let limits = Limits { paths: Some(12), ..Limits::default() };
    let options = Options { max_instructions: 1_000_000, ..Options::default() };
    let mut inputs = Inputs::default();
    let mut machine = Machine::new(Arc::clone(program), options.clone());
    let mut solver = Solver::new(secateur_solver::Options::default()).expect("the solver can be started");
    let settings = Settings { limits, ..Settings::new(searcher) };
    let Ok(_) = secateur_explore::explore(&mut machine, &mut solver, settings, &mut inputs);
    let live: Rc<dyn LiveSlots> = Rc::new(LiveSlotCache::new(Arc::clone(program)));
    let mut machine = Machine::new(Arc::clone(program), options);
    let mut known: FxHashMap<Point, Vec<(State, Effect)>> = FxHashMap::default();
    for input in inputs.inputs {
        let mut state = machine.start(input);
        for _ in 0..STRETCHES {
            let Some(decision) = next_decision(&mut machine, &mut state) else { break };
            let start = state.clone();
            machine.take(&mut state, &decision.chosen);
            if next_decision(&mut machine, &mut state).is_none() {
                break;
            }
            if state.instructions - start.instructions > LONGEST {
                continue;
            }
            let mut stretch = Stretch { machine: &mut machine, start, end: state.clone(), file };
            let effects = known.entry(Point::of(&stretch.start)).or_default();
            for (start, effect) in effects.iter_mut() {
                if start.is_alike(&stretch.start, &effect.footprint) && stretch.meets_conditions(effect) {
                    stretch.compare(effect, &*live);
                    counts.other.fetch_add(1, Ordering::Relaxed);
                }
            }
            match stretch.effect(Rc::clone(&live)) {
                Ok(mut effect) => {
                    assert!(stretch.meets_conditions(&effect), "{}: a path meets its own conditions", file.display());
                    stretch.compare(&mut effect, &*live);
                    counts.own.fetch_add(1, Ordering::Relaxed);
                    effects.push((stretch.start, effect));
                }
                Err(Failure::Inexpressible(_)) => drop(counts.not_expressible.fetch_add(1, Ordering::Relaxed)),
                Err(Failure::Diverged) => drop(counts.diverged.fetch_add(1, Ordering::Relaxed)),
            }
        }
    }
}

fn next_decision(machine: &mut Machine, state: &mut State) -> Option<Decision> {
    loop {
        match machine.run(state, u64::MAX) {
            MachineEvent::Decision(decision) => return Some(decision),
            MachineEvent::Pause => {}
            MachineEvent::End(_) => return None,
        }
    }
}

/// Executes this many instructions; returns false if the path ends earlier.
fn run_for(machine: &mut Machine, state: &mut State, instructions: u64) -> bool {
    let last = state.instructions + instructions;
    while state.instructions < last {
        let budget = last - state.instructions;
        match machine.run_exactly(state, budget) {
            MachineEvent::Decision(decision) => machine.take(state, &decision.chosen),
            MachineEvent::Pause => {}
            MachineEvent::End(_) => return false,
        }
    }
    true
}

/// A stretch of a path, from one decision to the next.
struct Stretch<'a> {
    machine: &'a mut Machine,
    start: State,
    end: State,
    file: &'a Path,
}

impl Stretch<'_> {
    fn effect(&mut self, live: Rc<dyn LiveSlots>) -> Result<Effect, Failure> {
        let input = self.machine.guide.input().to_vec();
        let instructions = self.end.instructions - self.start.instructions;
        Effect::of_segment(self.machine, &self.start, &input, instructions, false, live)
    }

    fn meets_conditions(&mut self, effect: &Effect) -> bool {
        effect.conditions().iter().all(|condition| self.value_before(*condition) == Some(1))
    }

    /// Asserts that every location has the value that the effect predicts.
    fn compare(&mut self, effect: &mut Effect, live: &dyn LiveSlots) {
        let mut end = self.start.clone();
        let completed = run_for(self.machine, &mut end, effect.instructions);
        let place = |state: &State| (state.frame.function, state.frame.pc, state.frame.context);
        assert!(completed && place(&end) == place(effect.end()), "{}: another way was taken", self.file.display());
        let (function, pc, depth) = (end.frame.function, end.frame.pc, end.callers.depth());
        let slots = live.live(function, pc).to_vec();
        let mut locations: Vec<Location> =
            slots.into_iter().map(|slot| Location::Slot { frame: depth, slot }).collect();
        let dynamic = end.memory.dynamic_objects().into_iter();
        for (object, content) in end.memory.globals().chain(dynamic) {
            if content.alive && content.kind != ObjectKind::Constant {
                let words = (0..content.size.min(COMPARED) / 8).map(|word| word * 8);
                locations.extend(words.map(|offset| Location::Bytes { object, offset, len: 8 }));
                let tail = content.size.min(COMPARED) / 8 * 8..content.size.min(COMPARED);
                locations.extend(tail.map(|offset| Location::Bytes { object, offset, len: 1 }));
            }
        }
        for location in locations {
            let Some(real) = self.machine.content(&mut end, location) else { continue };
            let real = self.machine.guide.values.eval_wide(&self.machine.pool, real);
            let predicted = match self.machine.content(effect.end(), location) {
                Some(predicted) => self.value_before(predicted),
                // An object that did not exist on the path from which the effect was made cannot have been changed by
                // it.
                None => {
                    let before = self.machine.content(&mut self.start, location);
                    before.map(|before| self.machine.guide.values.eval_wide(&self.machine.pool, before))
                }
            };
            assert_eq!(
                predicted,
                Some(real),
                "{}: {location:?} after {}",
                self.file.display(),
                self.machine.program.describe(self.start.frame.loc(&self.machine.program))
            );
        }
    }

    /// What an expression over holes evaluates to if they are filled from the state before; `None` if that lacks one of
    /// the locations.
    fn value_before(&mut self, expr: Expr) -> Option<u128> {
        let mut contents = FxHashMap::default();
        for hole in self.machine.pool.holes(expr) {
            let location = self.machine.holes.location(hole)?;
            contents.insert(hole, self.machine.content(&mut self.start, location)?);
        }
        // The effect numbers what is read from the start of the stretch on.
        let expr = self.machine.pool.shift_inputs(&[expr], 0, self.start.input_len)[0];
        let filled = self.machine.pool.substitute(expr, &mut |hole, _| contents.get(&hole).copied());
        Some(self.machine.guide.values.eval_wide(&self.machine.pool, filled))
    }
}

/// The inputs of all paths.
#[derive(Default)]
struct Inputs {
    inputs: Vec<Vec<u8>>,
}

impl Subscriber for Inputs {
    type Error = Infallible;
    type Keeper = KeepInput;

    fn keeper(&self) -> KeepInput {
        KeepInput
    }

    fn receive(&mut self, event: Event<Vec<u8>>) -> Result<(), Infallible> {
        if let Event::PathEnded(_, Some(input)) = event {
            self.inputs.push(input);
        }
        Ok(())
    }
}

struct KeepInput;

impl Keeper for KeepInput {
    type Record = Vec<u8>;

    fn keep(&mut self, machine: &mut Machine, _: &PathEnd<'_>) -> Option<Vec<u8>> {
        Some(machine.guide.input().to_vec())
    }
}
