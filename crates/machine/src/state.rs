//! Everything that a path carries along; cloning it is a snapshot.

use std::rc::Rc;

use secateur_expr::Rounding;
use secateur_path::{ChoiceKey, Path};
use secateur_program::{FuncId, LocId, Program};
use smallvec::SmallVec;

use crate::decision::Exclusions;
use crate::files::Files;
use crate::frame::{Callers, Frame};
use crate::given_up::{GivenUp, GivenUpList};
use crate::holes::Abstraction;
use crate::memory::{AllocationSite, Memory};
use crate::output::Output;
use crate::symbols::Symbols;
use crate::trace::Trace;
use crate::value::Value;

/// How many calls of a stack are worth showing.
const SHOWN_FRAMES: usize = 100;

/// A path under way.
#[derive(Clone)]
pub struct State {
    /// The innermost frame.
    pub frame: Frame,
    /// The frames below it.
    pub callers: Callers,
    /// All objects.
    pub memory: Memory,
    /// The decisions taken.
    pub path: Path,
    /// The values that it took for none of its own.
    pub exclusions: Exclusions,
    /// The symbolic inputs made so far, in order.
    pub symbols: Symbols,
    /// How many input bytes they take.
    pub input_len: u32,
    /// The branches of the user's code.
    pub trace: Trace,
    /// What the program wrote.
    pub output: Output,
    /// How many instructions the path has executed.
    pub instructions: u64,
    /// Why the paths below are not all there are.
    pub given_up: GivenUpList,
    /// Functions that are opaque to the solver were called with values that depend on the input.
    pub native_calls: u32,
    /// How many alternatives were left out because the path knows that no input takes them.
    pub refuted: u64,
    /// How many alternatives were left out because the check that they fail is switched off.
    pub ignored: u64,
    /// How floating-point operations round.
    pub(crate) rounding: Rounding,
    /// How far the program is.
    pub(crate) phase: Phase,
    /// What `main` is called with.
    pub(crate) main_arguments: Rc<[Value]>,
    /// Files and open descriptors.
    pub(crate) files: Rc<Files>,
    pub(crate) next_serial: u64,
    /// How much the local variables of all active calls take.
    pub(crate) stack_bytes: u64,
    /// How often the user's code has made fresh memory.
    pub(crate) fresh: u32,
    /// What was decided for the instruction numbered `decided_at`, which starts over after each decision.
    pub(crate) decided: SmallVec<[ChoiceKey; 2]>,
    pub(crate) decided_at: u64,
    /// What makes it a state of holes.
    pub abstraction: Option<Box<Abstraction>>,
}

/// What runs when the outermost frame returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Its arguments and files are not made yet.
    Starting,
    /// The constructor of this index is running.
    Constructor(u32),
    /// `main` is running.
    Main,
    /// `exit` is running.
    Exiting,
}

impl State {
    /// The call stack, innermost first; of a very deep one, the innermost part.
    pub fn stack(&self, program: &Program) -> Vec<(FuncId, LocId)> {
        let frames = std::iter::once(&self.frame).chain(self.callers.iter());
        frames.take(SHOWN_FRAMES).map(|frame| (frame.function, frame.loc(program))).collect()
    }

    /// From here on the path does not stand for all that the program can do.
    #[cold]
    pub(crate) fn give_up(&mut self, program: &Program, what: GivenUp) {
        let entry = (what, self.user_frame(program).loc(program));
        if !self.given_up.contains(&entry) {
            self.given_up.push(entry);
        }
    }

    /// The innermost frame of the user's own code.
    fn user_frame(&self, program: &Program) -> &Frame {
        let mut frames = std::iter::once(&self.frame).chain(self.callers.iter());
        frames.find(|frame| program.functions[frame.function.index()].user).unwrap_or(&self.frame)
    }

    /// The origin of an object that is made now: the innermost place in the user's own code.
    pub(crate) fn origin(&self, program: &Program, name: &str) -> AllocationSite {
        let frame = self.user_frame(program);
        let library = !program.functions[self.frame.function.index()].user;
        AllocationSite { name: Rc::from(name), function: frame.function, loc: frame.loc(program), library }
    }
}

impl Frame {
    /// Where it is: the instruction under way, or for a caller the call.
    pub fn loc(&self, program: &Program) -> LocId {
        program.functions[self.function.index()]
            .body
            .as_ref()
            .and_then(|body| body.locs.get(self.pc as usize))
            .copied()
            .unwrap_or(LocId(0))
    }
}
