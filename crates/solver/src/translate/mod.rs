//! Translation of expressions into terms of a solver library, written once for all backends.

mod arrays;
mod context;
mod floats;
mod terms;
mod translator;

pub(crate) use context::{Context, TIMEOUT, Verdict};
pub(crate) use terms::{Format, Op, Rounding, Sort, Terms};
pub(crate) use translator::{Translator, for_each_operand};
