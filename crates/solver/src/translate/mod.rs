//! Translation of expressions into terms of a solver library, written once for all backends.

mod context;
mod terms;

pub(crate) use context::{Context, TIMEOUT, Verdict};
pub(crate) use terms::{Format, Op, Rounding, Sort, Terms};
