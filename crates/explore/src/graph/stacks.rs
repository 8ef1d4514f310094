//! The call stacks on which flips were found, each kept once.
//!
//! A flip that carried its stack along would be as large as the stack is deep; a number is enough, since most flips share a few stacks.

use rustc_hash::FxHashMap;
use secateur_machine::State;
use secateur_program::{FuncId, LocId, Program};

/// Names a call stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct StackId(pub u32);

/// All stacks that were seen.
#[derive(Default)]
pub struct Stacks {
    /// By the machine's name for the sequence of calls, and the function that is called last.
    known: FxHashMap<(u64, FuncId), StackId>,
    stacks: Vec<Stack>,
}

#[derive(Clone, Copy)]
struct Stack {
    /// The function on top.
    function: FuncId,
    /// The stack below it, and the call in the function there.
    caller: Option<(StackId, u32)>,
    /// How many calls are active.
    depth: u32,
    /// How many calls of the user's functions are active, the outermost aside.
    user_depth: u32,
    /// The innermost call in the user's code, if the function on top is not the user's.
    user_call: Option<LocId>,
}

impl Stacks {
    /// The stack of a state.
    pub fn of(&mut self, program: &Program, state: &State) -> StackId {
        if let Some(id) = self.known.get(&(state.frame.context, state.frame.function)) {
            return *id;
        }
        let frames = std::iter::once(&state.frame).chain(state.callers.iter());
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
            let caller = below.map(|(id, caller)| (id, caller.pc, caller.loc(program)));
            top = self.add(program, frame.function, frame.context, caller);
            below = Some((top, frame));
        }
        top
    }

    fn add(
        &mut self,
        program: &Program,
        function: FuncId,
        context: u64,
        caller: Option<(StackId, u32, LocId)>,
    ) -> StackId {
        let user = program.functions[function.index()].user;
        let (depth, user_depth, user_call) = match caller {
            Some((id, _, loc)) => {
                let below = self.stacks[id.0 as usize];
                let in_user_code = program.functions[below.function.index()].user;
                let user_call = if in_user_code { Some(loc) } else { below.user_call };
                (below.depth + 1, below.user_depth + u32::from(user), user_call)
            }
            None => (0, 0, None),
        };
        let id = StackId(self.stacks.len() as u32);
        self.stacks.push(Stack {
            function,
            caller: caller.map(|(id, pc, _)| (id, pc)),
            depth,
            user_depth,
            user_call: user_call.filter(|_| !user),
        });
        self.known.insert((context, function), id);
        id
    }

    /// How many stacks there are.
    pub fn len(&self) -> usize {
        self.stacks.len()
    }

    /// No stack was seen yet.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// The function on top of a stack.
    pub fn function(&self, id: StackId) -> FuncId {
        self.stacks[id.0 as usize].function
    }

    /// The stack below the function on top, and the call there.
    pub fn caller(&self, id: StackId) -> Option<(StackId, u32)> {
        self.stacks[id.0 as usize].caller
    }

    /// How many calls are active.
    pub fn depth(&self, id: StackId) -> u32 {
        self.stacks[id.0 as usize].depth
    }

    /// How many calls of the user's functions are active, the outermost aside.
    pub fn user_depth(&self, id: StackId) -> u32 {
        self.stacks[id.0 as usize].user_depth
    }

    /// The innermost place in the user's code, for a state of this stack that is at `loc`.
    pub fn user_place(&self, id: StackId, loc: LocId) -> LocId {
        self.stacks[id.0 as usize].user_call.unwrap_or(loc)
    }
}
