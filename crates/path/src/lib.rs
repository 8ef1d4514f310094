//! The path condition: what a path requires of the input, and what follows from it directly.
//!
//! A [`Path`] is extended by one condition at a time and copied at every decision, so copies share their structure. It
//! keeps track of the possible values of single bytes and words; a lookup there answers most questions of an
//! exploration. This crate knows expressions, but neither programs nor solvers.
//!
//! ```
//! use secateur_expr::{Pool, Valuation};
//! use secateur_path::Path;
//!
//! let mut pool = Pool::new();
//! let (byte, nine) = (pool.input(0, 1), pool.constant(8, 9));
//! let (below, above) = (pool.ult(byte, nine), pool.ugt(byte, nine));
//! let path = Path::of(&mut pool, &[below]);
//! assert!(path.refutes(&mut pool, above));
//!
//! let eight = pool.constant(8, 8);
//! let goal = pool.eq(byte, eight);
//! let model = path.satisfy(&mut pool, goal, &mut Valuation::new(vec![3]));
//! assert_eq!(model, Some(vec![(0, 8)]));
//! ```

mod choice_key;
mod condition;
mod groups;
mod knowledge;
mod list;
mod path;
mod refutation;
mod shared_vec;

pub use choice_key::ChoiceKey;
pub use condition::PathCondition;
pub use knowledge::{Fact, for_each_fact};
pub use list::List;
pub use path::Path;

/// A persistent map: copies share their structure.
type SharedMap<K, V> = rpds::HashTrieMap<K, V, archery::RcK, std::hash::BuildHasherDefault<rustc_hash::FxHasher>>;
