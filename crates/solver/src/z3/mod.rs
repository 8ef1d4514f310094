//! Z3: the second opinion, against which everything else is checked.

mod context;
mod interrupter;
mod library;

pub(crate) use context::Z3Context;
