//! Expressions over the bytes of an input: hash-consed bit-vectors, conditions, arrays and floats, simplified as they are built.
//!
//! A [`Pool`] owns expressions and hands out [`Expr`] handles; a [`Valuation`] computes what they are worth under an input;
//! [`smtlib`] prints them for any SMT solver. This crate knows of no program and no solver.

mod arith;
mod array;
mod build;
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
mod byte_set;
mod restriction;
pub mod rules;
mod shapes;
pub mod smtlib;
mod substitute;
mod support;
mod truth;

pub use array::ArrayNode;
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
pub use byte_set::ByteSet;
