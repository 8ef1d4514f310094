//! The program as a graph of blocks and calls: reachability and distances.
//!
//! A node is a basic block. Its edges lead to its successors in the function and, from each call, to the first block of
//! the callee. A return has no edge, since where it leads depends on the call stack, which [`Stacks`] has. Calls
//! through pointers, `longjmp` and the end of a path have artificial nodes, which avoid an edge for every pair of call
//! and callee.
//!
//! This crate does not depend on the machine that runs the program: coverage is passed in as [`Executed`], possible
//! failures as [`Hazards`].
//!
//! The distance from the start of `main` to a branch in `parse`:
//!
//! ```no_run
//! use secateur_graph::{Distances, StackEntry, Graph, Start, Stacks, targets};
//! use secateur_program::{LoadOptions, Returns, load};
//!
//! let program = load(&LoadOptions { inputs: vec!["program.c".into()], ..LoadOptions::default() })?.program;
//! let graph = Graph::new(&program, |_| Returns::Once);
//! let main = program.entry.ok_or("the program has no main")?;
//! let parse = targets(&program, "parse")?[0].function;
//! let branch = program.branches.iter().position(|branch| branch.function == parse).ok_or("no branch")?;
//!
//! let mut stacks = Stacks::default();
//! let stack = stacks.of(&program, [StackEntry { function: main, context: 0, pc: 0 }]);
//! let from = Start { function: main, pc: 0, stack, branch: None };
//! let mut distances = Distances::to_branch(&graph, secateur_program::BranchId(branch as u32));
//! println!("{:?} instructions", distances.from(&program, &graph, &stacks, &from));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod checks;
mod coverage;
mod distance;
mod dominators;
mod functions;
mod graph;
mod liveness;
mod loops;
mod reach;
mod stacks;
mod start;
mod target;

pub use builder::{callable_from_assembly, callable_from_outside};
pub use checks::{CheckSet, Failed, Hazard, Hazards};
pub use coverage::Executed;
pub use distance::Distances;
pub use dominators::{Dominators, PostDominators};
pub use functions::{functions_pointed_to, functions_reached_from, reachable_functions};
pub use graph::{Graph, NodeId};
pub use liveness::{Liveness, SlotSet};
pub use loops::{Loop, Loops};
pub use reach::{Items, Known, Reach};
pub use stacks::{Call, StackEntry, StackId, Stacks};
pub use start::Start;
pub use target::{Target, TargetError, function_targets, line_targets, places, targets};
