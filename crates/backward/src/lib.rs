//! Backward execution (symcretic execution, phase I, which calls phase II): from a target to the start of the program,
//! step by step.
//!
//! A [`State`](state::State) is a point of the program and conditions that lead from there to the target, over holes
//! for the slots and the memory at that point. A step over an instruction replaces what it writes by what it computes.
//! A block is entered backwards from each of its successors, a function at each of its returns, and left at each of its
//! callers. If the conditions at a point cannot all hold, no path through it gets to the target.
//!
//! What cannot be expressed is *deferred*: a value becomes a free hole, which can be anything. That only admits more
//! states. So if no state is left, the target is unreachable; and an input that satisfies the conditions at the start
//! of the program is only a candidate, which somebody has to run.

mod block;
mod call;
mod checkpoint;
mod code;
mod display;
mod forward;
mod holes;
mod input;
mod lift;
mod memory;
mod merge;
mod nodes;
mod question;
mod search;
mod skip;
mod state;
mod trace;
mod tuning;

pub use search::{Answer, BackwardResult, Obstacle, Options, Progress, Runner, Waypoint, search};
pub use tuning::Tuning;
