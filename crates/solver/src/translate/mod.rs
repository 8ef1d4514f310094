//! Translation of expressions into terms of a solver library, written once for all backends.

mod arrays;
mod context;
pub(crate) mod decider;
mod floats;
mod terms;
mod translator;

pub(crate) use context::{Context, Setup, Verdict};
pub(crate) use decider::{Decider, Decision, Question};
pub(crate) use terms::{Format, Op, Rounding, Sort, Terms};
pub(crate) use translator::Translator;
