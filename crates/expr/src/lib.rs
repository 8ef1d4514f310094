//! Expressions over the bytes of an input: hash-consed bit-vectors, conditions, arrays and floats, simplified as they
//! are built.
//!
//! A [`Pool`] owns expressions and returns [`Expr`] handles; a [`Valuation`] evaluates them under an input; [`smtlib`]
//! prints them for any SMT solver. This crate knows neither programs nor solvers.
//!
//! ```
//! use secateur_expr::{Pool, Valuation};
//!
//! let mut pool = Pool::new();
//! let (byte, zero) = (pool.input(0, 1), pool.constant(8, b'0'.into()));
//! let digit = pool.sub(byte, zero);
//! let ten = pool.constant(8, 10);
//! let is_digit = pool.ult(digit, ten);
//!
//! let mut valuation = Valuation::new(b"7".to_vec());
//! assert_eq!(valuation.eval(&pool, digit), 7);
//! assert!(valuation.holds(&pool, is_digit));
//! ```

mod arith;
mod array;
mod build;
mod byte_set;
mod count;
mod directed;
mod display;
mod eval;
mod expr;
pub mod float;
mod holes;
mod interval;
mod native;
mod node;
mod op;
mod pool;
mod printed;
mod range;
mod restriction;
pub mod rules;
mod shapes;
pub mod smtlib;
mod substitute;
mod support;
mod tape;
mod truth;
mod tuning;

pub use array::ArrayNode;
pub use byte_set::ByteSet;
pub use eval::Valuation;
pub use expr::{Array, Expr, MAX_EXPRS, MAX_WIDTH, Width};
pub use interval::Intervals;
pub use native::NativeFn;
pub use node::{NativeArgs, Node};
pub use op::{BinaryOp, FloatCast, FloatCmp, FloatOp, FloatUnOp, Rounding, UnaryOp};
pub use pool::Pool;
pub use printed::{Number, NumberFormat};
pub use restriction::Restriction;
pub use rules::{ALL_RULES, Rule, RuleId, RuleSet};
pub use support::Support;
pub use tape::{Register, Tape};
pub use tuning::Tuning;
