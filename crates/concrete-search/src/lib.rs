//! Finds inputs by evaluating many of them (symcretic execution, phase II).
//!
//! A solver cannot invert `sin`, a hash, or a loop that turns a thousand times. But they can be evaluated, and how far
//! a condition is from holding says which change of the input is for the better. [`Fit`] measures that distance,
//! [`search`] walks to an input where it is 0: along a path of small changes first ([`walk`]), then by recombining many
//! inputs ([`genetic`]).
//!
//! ```
//! use secateur_concrete_search::{Conditions, Options, Variable, search};
//! use secateur_expr::{FloatCmp, NativeFn, Pool};
//!
//! let mut pool = Pool::new();
//! let x = pool.input(0, 8);
//! let sine = pool.native(NativeFn::Sin, &[x]);
//! let limit = pool.constant(64, 0.99f64.to_bits().into());
//! let is_high = pool.float_cmp(FloatCmp::GREATER, sine, limit);
//! let mut conditions = Conditions::new(&pool, &[is_high], vec![Variable { first: 0, bytes: 8, is_float: true }]);
//! let found = search(&mut conditions, vec![0; 8], &Options { evaluations: 1_000, ..Options::default() }).found.unwrap();
//! assert!(f64::from_le_bytes(found.try_into().unwrap()).sin() > 0.99);
//! ```

mod conditions;
mod fit;
mod genetic;
mod moves;
mod objective;
mod random;
mod search;
mod tuning;
mod walk;

pub use conditions::Conditions;
pub use fit::Fit;
pub use moves::Variable;
pub use objective::Objective;
pub use search::{Options, SearchResult, search};
pub use tuning::Tuning;
