//! Where something was deferred on a backward path, and what must hold there. These are the marks of the trace that the
//! concrete search runs along.

use std::rc::Rc;

use secateur_expr::Expr;
use secateur_program::FuncId;

use crate::code::Code;
use crate::input::Read;
use crate::state::{Caller, State};

/// A point before which something was deferred. If the conditions hold there, the path gets to the target, unless
/// something is deferred nearer to it, too.
pub(crate) struct Checkpoint {
    pub function: FuncId,
    /// The next instruction.
    pub pc: u32,
    /// The callers that are known, the outermost first.
    pub callers: Vec<Caller>,
    pub conditions: Vec<Expr>,
    /// What is read from the input from there on, the last first; unknown if there is a gap.
    pub reads: Option<Vec<Read>>,
    /// The next one towards the target.
    pub next: Option<Rc<Checkpoint>>,
}

impl Checkpoint {
    /// The point of a state.
    pub(crate) fn of(code: &Code<'_>, state: &State) -> Checkpoint {
        let last = code.body(state.function).map_or(0, |body| body.blocks[state.block.index()].end - 1);
        Checkpoint {
            function: state.function,
            // Nothing changes between the terminator of a block and its end.
            pc: state.pc.min(last),
            callers: state.callers.clone(),
            conditions: state.conditions.clone(),
            reads: (!state.has_gap).then(|| state.reads.clone()),
            next: state.trace.clone(),
        }
    }
}
