//! Places in the source, as the user sees them.

use secateur_program::{FuncId, LocId, Program};

/// The innermost place of a call stack that is in the user's own code; the innermost of all if none is.
pub fn innermost_user(program: &Program, stack: &[(FuncId, LocId)]) -> LocId {
    let user = stack.iter().find(|(function, _)| program.functions[function.index()].user);
    user.or(stack.first()).map_or(LocId(0), |(_, loc)| *loc)
}
