//! Interned call stacks.
//!
//! A flip refers to its call stack by number: most flips share a few stacks, which may be deep.

use rustc_hash::FxHashMap;
use secateur_program::{FuncId, LocId, Program};
use serde::{Deserialize, Serialize};

/// The number of a call stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct StackId(pub u32);

/// All call stacks so far.
#[derive(Default)]
pub struct Stacks {
    /// By the machine's hash of the calls, and the top function.
    known: FxHashMap<(u64, FuncId), StackId>,
    stacks: Vec<Stack>,
}

/// A frame of the machine's call stack.
#[derive(Clone, Copy, Debug)]
pub struct StackEntry {
    /// The function.
    pub function: FuncId,
    /// The machine's hash of the calls up to here.
    pub context: u64,
    /// The next instruction; in frames other than the innermost, the call.
    pub pc: u32,
}

impl StackEntry {
    fn loc(&self, program: &Program) -> LocId {
        let body = program.functions[self.function.index()].body.as_ref();
        body.and_then(|body| body.locs.get(self.pc as usize)).copied().unwrap_or(LocId(0))
    }
}

impl Call {
    /// Whether it can be a call of this program: what comes from elsewhere may be any.
    pub fn fits(&self, program: &Program) -> bool {
        self.function.index() < program.functions.len() && self.from.1.index() < program.locations.len()
    }
}

/// One call of a stack, independent of the collection it is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Call {
    function: FuncId,
    /// The machine's hash of the calls up to here.
    context: u64,
    /// The instruction and the location of the call in the caller; unused for the outermost.
    from: (u32, LocId),
}

#[derive(Clone, Copy)]
struct Stack {
    /// The call on top.
    call: Call,
    /// The stack below it.
    below: Option<StackId>,
    /// How many calls are active.
    depth: u32,
    /// How many calls of the user's functions are active, not counting the outermost.
    user_depth: u32,
    /// The innermost call in the user's code, if the function on top is not the user's.
    user_call: Option<LocId>,
}

impl Stacks {
    /// The stack of these frames, the innermost first. Iteration ends at the first frame that is known.
    pub fn of(&mut self, program: &Program, frames: impl IntoIterator<Item = StackEntry>) -> StackId {
        let mut unknown = Vec::new();
        let mut below = None;
        for frame in frames {
            if let Some(id) = self.known.get(&(frame.context, frame.function)) {
                below = Some((*id, frame));
                break;
            }
            unknown.push(frame);
        }
        let mut top = below.map_or(StackId(0), |(id, _)| id);
        for frame in unknown.into_iter().rev() {
            let from = below.map_or((0, LocId(0)), |(_, caller)| (caller.pc, caller.loc(program)));
            let call = Call { function: frame.function, context: frame.context, from };
            top = self.add(program, call, below.map(|(id, _)| id));
            below = Some((top, frame));
        }
        top
    }

    /// The calls of a stack, the outermost first.
    pub fn calls(&self, id: StackId) -> Vec<Call> {
        let stacks = std::iter::successors(Some(id), |id| self.stacks[id.0 as usize].below);
        let mut calls: Vec<Call> = stacks.map(|id| self.stacks[id.0 as usize].call).collect();
        calls.reverse();
        calls
    }

    /// The stack of these calls of another collection, the outermost first.
    pub fn with_calls(&mut self, program: &Program, calls: &[Call]) -> StackId {
        let mut top = None;
        for call in calls {
            let known = self.known.get(&(call.context, call.function)).copied();
            top = Some(known.unwrap_or_else(|| self.add(program, *call, top)));
        }
        top.unwrap_or_default()
    }

    fn add(&mut self, program: &Program, call: Call, below: Option<StackId>) -> StackId {
        let user = program.functions[call.function.index()].user;
        let (depth, user_depth, user_call) = match below.map(|id| self.stacks[id.0 as usize]) {
            Some(below) => {
                let in_user_code = program.functions[below.call.function.index()].user;
                let user_call = if in_user_code { Some(call.from.1) } else { below.user_call };
                (below.depth + 1, below.user_depth + u32::from(user), user_call)
            }
            None => (0, 0, None),
        };
        let id = StackId(self.stacks.len() as u32);
        self.stacks.push(Stack { call, below, depth, user_depth, user_call: user_call.filter(|_| !user) });
        self.known.insert((call.context, call.function), id);
        id
    }

    /// How many stacks there are.
    pub fn len(&self) -> usize {
        self.stacks.len()
    }

    /// There are no stacks yet.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// The function on top of a stack.
    pub fn function(&self, id: StackId) -> FuncId {
        self.stacks[id.0 as usize].call.function
    }

    /// The stack of the caller, and the instruction of the call.
    pub fn caller(&self, id: StackId) -> Option<(StackId, u32)> {
        let Stack { call, below, .. } = self.stacks[id.0 as usize];
        below.map(|below| (below, call.from.0))
    }

    /// How many calls are active.
    pub fn depth(&self, id: StackId) -> u32 {
        self.stacks[id.0 as usize].depth
    }

    /// How many calls of the user's functions are active, not counting the outermost.
    pub fn user_depth(&self, id: StackId) -> u32 {
        self.stacks[id.0 as usize].user_depth
    }

    /// The innermost location in the user's code, for a state with this stack that is at `loc`.
    pub fn user_place(&self, id: StackId, loc: LocId) -> LocId {
        self.stacks[id.0 as usize].user_call.unwrap_or(loc)
    }
}
