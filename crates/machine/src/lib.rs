//! Runs a loaded program on values that are concrete or symbolic.
//!
//! A [`Machine`] executes a [`State`] until the input decides how to go on; its caller decides what happens then. The
//! machine never picks the state that runs next and calls no solver.
//!
//! The path of one input of a C program:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use secateur_machine::{Event, Machine, Options, shim_names};
//! use secateur_program::{LoadOptions, load};
//!
//! let files = vec!["program.c".into()];
//! let program = load(&LoadOptions { inputs: files, shims: shim_names(), ..LoadOptions::default() })?.program;
//! let mut machine = Machine::new(Arc::new(program), Options::default());
//! let mut state = machine.start(b"input".to_vec());
//! let end = loop {
//!     match machine.run(&mut state, u64::MAX) {
//!         // A driver would keep the alternatives.
//!         Event::Decision(decision) => machine.take(&mut state, &decision.chosen),
//!         Event::End(end) => break end,
//!         Event::Pause => {}
//!     }
//! };
//! println!("{end:?}");
//! # Ok::<(), secateur_program::LoadError>(())
//! ```

mod access;
mod aside;
mod block;
mod call;
mod concrete;
mod convention;
mod coverage;
mod decision;
mod end;
#[cfg(debug_assertions)]
mod fingerprint;
mod floats;
mod frame;
mod given_up;
mod guide;
mod havoc;
mod hazards;
mod holes;
mod long_double;
mod machine;
mod memory;
mod message_text;
mod options;
mod origins;
mod output;
mod packed;
mod peek;
mod posix;
mod reachable;
mod shims;
mod start;
mod state;
mod step;
pub mod symbolic;
mod symbols;
mod text;
mod trace;
mod tuning;
mod uninit;
mod unwritten;
mod unwritten_bits;
mod value;
mod varargs;

pub use aside::Aside;
pub use coverage::CoverageMap;
pub use decision::{Choice, Decision, DecisionKind, Exclusions};
pub use end::{Bug, BugKind, End, Limit, Unsupported};
pub use frame::Frame;
pub use given_up::GivenUp;
pub use guide::Guide;
pub use havoc::Havoc;
pub use hazards::{Hazards, Inspection};
pub use holes::{Abstraction, Holes, LiveSlots, Location, Reason, Requirement};
pub use machine::{Event, Machine};
pub use memory::{Footprint, ObjectId, ObjectKind};
pub use options::{ArgGroup, Environment, Options, Refuted, Uninit};
pub use output::Output;
pub use packed::PackedState;
pub use peek::{PeekedByte, PeekedObject};
pub use secateur_expr::Tuning as ExprTuning;
pub use shims::{error_functions, returns, returns_of, shim_names, system_call_table};
pub use start::START_VARIABLES;
pub use state::State;
pub use symbols::{Symbol, SymbolSource, Symbols};
pub use trace::{LOGGED_BRANCHES, Trace};
pub use tuning::Tuning;
pub use unwritten_bits::UnwrittenBits;
pub use value::Value;
