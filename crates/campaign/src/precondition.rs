//! What a function that is tested by itself needs of its callers.
//!
//! Every pointer that it is given may be null, and many a function relies on its callers not to do that. An access
//! through such a pointer says what the function needs, and is a bug only if somebody in the program passes null.

use secateur_machine::{Bug, BugKind, End, Machine, State, SymbolSource};
use secateur_program::Unit;

use crate::bugs::is_same;
use crate::reach::run_to_end;

/// A path without null pointers may be longer than the one that ended at the first of them, but not by more than this.
/// This is a constant because such a path only has to come to the same place again.
const LONGER: u64 = 100_000;

/// The pointers that are null on a path, but must not be for this bug not to happen there; empty if it happens anyway.
/// The machine holds the input of the path.
pub(crate) fn pointers_needed(machine: &mut Machine, state: &State, bug: &Bug, unit: &Unit) -> Vec<String> {
    if bug.kind != BugKind::NullPointer {
        return Vec::new();
    }
    // The byte that decides whether `p` is null is called `p?`.
    let symbols = state.symbols.in_order();
    let choices = symbols.into_iter().take(unit.inputs).filter(|symbol| {
        matches!(symbol.source, SymbolSource::Object) && symbol.len == 1 && machine.guide.values.byte(symbol.first) == 0
    });
    let choices = choices.filter_map(|symbol| Some((symbol.first, symbol.name.strip_suffix('?')?.to_string())));
    let null: Vec<(u32, String)> = choices.filter(|(_, pointer)| !unit.null_passed.contains(pointer)).collect();
    let input = machine.guide.input().to_vec();
    let most = state.instructions.saturating_add(LONGER);
    let is_excluded = |machine: &mut Machine, pointers: &[(u32, String)]| {
        let mut changed = input.clone();
        for (at, _) in pointers {
            let at = *at as usize;
            // What an input does not have is 0.
            changed.resize(changed.len().max(at + 1), 0);
            changed[at] = 1;
        }
        let (_, end) = machine.aside(|machine| run_to_end(machine, changed, most)).result;
        !matches!(&end, End::Bug(other) if is_same(&machine.program, bug, other))
    };
    let needed: Vec<_> = null.iter().filter(|one| is_excluded(machine, std::slice::from_ref(*one))).collect();
    match needed.as_slice() {
        [] if null.len() > 1 && is_excluded(machine, &null) => null.into_iter().map(|(_, pointer)| pointer).collect(),
        needed => needed.iter().map(|(_, pointer)| pointer.clone()).collect(),
    }
}
