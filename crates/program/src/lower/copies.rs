//! Finds the branches that are copies of one in the source: inlined, or of a function in a header.
//!
//! Copies are at the same line and column of the same function. A macro has several branches at one place, too: among
//! those of one inlined call, the first is one branch of the source, the second another, and so on.

use super::Lowering;
use crate::code::*;
use crate::llvm::{Metadata, Value};
use rustc_hash::FxHashMap;

/// What is known of a branch while it is lowered.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'m> {
    /// The function in the source, as a number.
    function: u32,
    /// The call that it was inlined at.
    call: Option<Metadata<'m>>,
}

/// Names of functions in the source, as numbers.
#[derive(Default)]
pub(crate) struct SourceFunctions<'m> {
    names: FxHashMap<String, u32>,
    scopes: FxHashMap<Metadata<'m>, u32>,
}

impl<'m> Lowering<'m> {
    /// Where a branch comes from; `None` if nothing says.
    pub(super) fn origin(&mut self, terminator: Option<Value<'m>>) -> Option<Origin<'m>> {
        let location = terminator?.debug_location()?;
        let scope = location.scope()?;
        let function = match self.source_functions.scopes.get(&scope) {
            Some(function) => *function,
            None => {
                let names = &mut self.source_functions.names;
                let next = names.len() as u32;
                let function = *names.entry(scope.function_name(self.context)?).or_insert(next);
                self.source_functions.scopes.insert(scope, function);
                function
            }
        };
        Some(Origin { function, call: location.inlined_at() })
    }
}

/// Where a branch is in the source: function, place, and which of those there.
type SourcePosition = (u32, LocId, u32);

/// Which branch of the source each branch is. `origins` belong to the branches one by one.
pub(super) fn find(
    branches: &[Branch],
    origins: &[Option<Origin<'_>>],
    functions: &[Function],
    locations: &[Location],
) -> Vec<SourceBranch> {
    let mut first_of: FxHashMap<SourcePosition, BranchId> = FxHashMap::default();
    let mut counts: FxHashMap<(FuncId, Option<Metadata<'_>>, LocId), u32> = FxHashMap::default();
    let mut found = Vec::with_capacity(branches.len());
    for (index, (branch, origin)) in branches.iter().zip(origins).enumerate() {
        let id = BranchId(index as u32);
        let alone = SourceBranch { first: id, inverted: false };
        let is_placed = branch.native.is_some() && locations[branch.loc.index()].line > 0;
        let Some(origin) = origin.filter(|_| is_placed) else {
            found.push(alone);
            continue;
        };
        let count = counts.entry((branch.function, origin.call, branch.loc)).or_default();
        let first = *first_of.entry((origin.function, branch.loc, *count)).or_insert(id);
        *count += 1;
        let copied = copy_of(first, &branches[first.index()], branch, functions, locations);
        found.push(copied.unwrap_or(alone));
    }
    found
}

/// How a branch is a copy of the first one at its place; `None` if the compiler has changed it too much to tell.
fn copy_of(
    first: BranchId,
    original: &Branch,
    copy: &Branch,
    functions: &[Function],
    locations: &[Location],
) -> Option<SourceBranch> {
    let sides = |branch: &Branch| {
        let body = functions[branch.function.index()].body.as_ref()?;
        let block = body.blocks.get(branch.block.index())?;
        let lines = |edge: EdgeId| {
            let to = &body.blocks[body.edges[edge.index()].to.index()];
            let places = body.locs[to.start as usize..to.end as usize].iter();
            places.map(|loc| locations[loc.index()]).find(|at| at.line > 0)
        };
        match body.code.get((block.end as usize).checked_sub(1)?)? {
            Inst::Branch { then_edge, else_edge, .. } => Some(Sides::Two(lines(*else_edge), lines(*then_edge))),
            Inst::Switch { info, .. } => Some(Sides::Cases(&body.switches[info.index()].cases)),
            _ => None,
        }
    };
    match (sides(original)?, sides(copy)?) {
        (Sides::Two(a, b), Sides::Two(c, d)) => {
            // What follows is the same in both copies, unless the compiler has moved it.
            Some(SourceBranch { first, inverted: a != b && a == d && b == c })
        }
        (Sides::Cases(a), Sides::Cases(b)) if a == b && original.outcomes == copy.outcomes => {
            Some(SourceBranch { first, inverted: false })
        }
        _ => None,
    }
}

/// What tells the sides of a branch apart: the places where they lead, or the cases.
enum Sides<'p> {
    Two(Option<Location>, Option<Location>),
    Cases(&'p [(u64, u32)]),
}
