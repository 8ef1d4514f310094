//! The tests of a run, what each covers, and what has led to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use secateur_machine::{Event, Machine, State, SymbolSource};
use secateur_program::BranchId;

use crate::condition::Condition;
use crate::cover::Outcomes;

/// A path that was the first to cover something.
pub(crate) struct FoundTest {
    /// Its input.
    pub input: Vec<u8>,
    instructions: u64,
    /// The features in its conditions.
    pub features: Vec<Condition>,
    /// The names of the inputs that it has read, by their first byte.
    pub names: BTreeMap<u32, InputName>,
    /// The weight vectors that have kept its flip.
    pub credited: Vec<u32>,
    /// Whether flips were dropped before.
    pub was_pruned: bool,
}

/// A symbolic input as people know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InputName {
    pub text: String,
    pub bytes: u32,
}

impl FoundTest {
    /// Takes what is needed from a path that has ended in this state.
    pub(crate) fn new(
        machine: &mut Machine,
        state: &State,
        credited: Vec<u32>,
        was_pruned: bool,
        most_features: usize,
    ) -> FoundTest {
        let mut features = Vec::new();
        for condition in state.path.conditions() {
            if features.len() >= most_features {
                break;
            }
            features.extend(Condition::of_path(&mut machine.pool, condition));
        }
        features.sort();
        features.dedup();
        FoundTest {
            input: machine.guide.input().to_vec(),
            instructions: state.instructions,
            features,
            names: input_names(state),
            credited,
            was_pruned,
        }
    }

    /// What its input covers of the user's code.
    pub(crate) fn outcomes(&self, machine: &mut Machine) -> Outcomes {
        let program = Arc::clone(&machine.program);
        let run = machine.aside(|machine| {
            machine.is_concrete = true;
            // The round that has ended may have been stopped.
            machine.halt = Arc::default();
            let mut state = machine.start(self.input.clone());
            loop {
                let left = self.instructions.saturating_sub(state.instructions);
                match machine.run(&mut state, left.max(1)) {
                    Event::Decision(decision) => machine.take(&mut state, &decision.chosen),
                    Event::End(_) => break,
                    Event::Pause if left == 0 => break,
                    Event::Pause => {}
                }
            }
            machine.is_concrete = false;
        });
        let mut outcomes = Outcomes::default();
        let mut number = 0;
        for (branch, id) in program.branches.iter().zip(0..) {
            for outcome in 0..branch.outcomes {
                if branch.native.is_some() && run.coverage.taken(BranchId(id), outcome) {
                    outcomes.insert(number);
                }
                number += 1;
            }
        }
        outcomes
    }
}

/// The names of the inputs that a path has read, by their first byte.
pub(crate) fn input_names(state: &State) -> BTreeMap<u32, InputName> {
    let symbols = state.symbols.in_order();
    let named = symbols.into_iter().filter(|symbol| symbol.len > 0).map(|symbol| {
        let text = match &symbol.source {
            SymbolSource::Stdin => "stdin".to_string(),
            SymbolSource::Argument(number) => format!("argument {number}"),
            SymbolSource::ArgumentCount => "the number of arguments".to_string(),
            SymbolSource::Environment => format!("${}", symbol.name),
            _ => symbol.name.clone(),
        };
        (symbol.first, InputName { text, bytes: symbol.len })
    });
    named.collect()
}
