//! Everything that a path carries along; a clone is a snapshot.

use std::rc::Rc;

use secateur_expr::Rounding;
use secateur_path::{ChoiceKey, Path};
use secateur_program::{FuncId, LocId, Program};
use smallvec::SmallVec;

use crate::decision::Exclusions;
use crate::frame::{Callers, Frame};
use crate::given_up::{GivenUp, GivenUpList};
use crate::holes::Abstraction;
use crate::memory::{AllocationSite, Memory};
use crate::output::Output;
use crate::posix::World;
use crate::symbols::Symbols;
use crate::trace::Trace;
use crate::value::Value;

/// The most frames of a call stack that are reported.
const SHOWN_FRAMES: usize = 100;

/// A path that has not ended.
#[derive(Clone)]
pub struct State {
    /// The innermost frame.
    pub frame: Frame,
    /// The frames below it.
    pub callers: Callers,
    /// All objects.
    pub memory: Memory,
    /// The decisions taken and the path condition.
    pub path: Path,
    /// The values that it excluded at decisions on a value.
    pub exclusions: Exclusions,
    /// The symbolic inputs so far, in order.
    pub symbols: Symbols,
    /// How many input bytes they take.
    pub input_len: u32,
    /// The branches taken in the user's code.
    pub trace: Trace,
    /// What the program wrote.
    pub output: Output,
    /// How many instructions the path has executed.
    pub instructions: u64,
    /// Why the explored paths are not all paths of the program.
    pub given_up: GivenUpList,
    /// How often native functions, which are opaque to the solver, were called with symbolic arguments.
    pub native_calls: u32,
    /// How many alternatives were left out because the path condition refutes them.
    pub refuted: u32,
    /// How many alternatives were left out because the check that they fail is disabled.
    pub ignored: u32,
    /// How floating-point operations round.
    pub(crate) rounding: Rounding,
    /// How far the program has come.
    pub(crate) phase: Phase,
    /// The arguments of `main`.
    pub(crate) main_arguments: Rc<Vec<Value>>,
    /// What is outside of its memory: files, descriptors and the like.
    pub(crate) world: Rc<World>,
    pub(crate) next_serial: u64,
    /// The bytes that the local variables of all active calls take.
    pub(crate) stack_bytes: u64,
    /// How many allocations the user's code has made.
    pub(crate) fresh: u32,
    /// The choices made for the instruction numbered `decided_at`, which starts over after each decision.
    pub(crate) decided: SmallVec<[ChoiceKey; 1]>,
    pub(crate) decided_at: u64,
    /// Present in a state of holes only.
    pub abstraction: Option<Box<Abstraction>>,
}

/// What runs when the outermost frame returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The arguments and files are not created yet.
    Starting,
    /// The constructor of this index is running.
    Constructor(u32),
    /// `main` is running.
    Main,
    /// `exit` is running.
    Exiting,
}

impl State {
    /// The call stack, innermost first; only the innermost part of a very deep one.
    pub fn stack(&self, program: &Program) -> Vec<(FuncId, LocId)> {
        let frames = std::iter::once(&self.frame).chain(self.callers.iter());
        frames.take(SHOWN_FRAMES).map(|frame| (frame.function, frame.loc(program))).collect()
    }

    /// Notes that from here on the path does not stand for all behaviours of the program.
    #[cold]
    pub(crate) fn give_up(&mut self, program: &Program, what: GivenUp) {
        let entry = (what, self.user_frame(program).loc(program));
        if !self.given_up.contains(&entry) {
            Rc::make_mut(&mut self.given_up).push(entry);
        }
    }

    /// The path stands for all behaviours of the program so far: nothing was given up, and no disabled check skipped.
    pub fn is_whole(&self) -> bool {
        self.given_up.is_empty() && self.ignored == 0
    }

    /// The innermost frame of the user's own code.
    fn user_frame(&self, program: &Program) -> &Frame {
        let mut frames = std::iter::once(&self.frame).chain(self.callers.iter());
        frames.find(|frame| program.functions[frame.function.index()].user).unwrap_or(&self.frame)
    }

    /// The allocation site of an object allocated now: the innermost location in the user's code.
    pub(crate) fn allocation_site(&self, program: &Program, name: &str) -> AllocationSite {
        let frame = self.user_frame(program);
        let library = !program.functions[self.frame.function.index()].user;
        AllocationSite { name: Rc::from(name), function: frame.function, loc: frame.loc(program), library }
    }
}

impl Frame {
    /// Its location: the current instruction, or the call instruction of a caller.
    pub fn loc(&self, program: &Program) -> LocId {
        program.functions[self.function.index()]
            .body
            .as_ref()
            .and_then(|body| body.locs.get(self.pc as usize))
            .copied()
            .unwrap_or(LocId(0))
    }
}
