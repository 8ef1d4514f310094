//! Z3: the second SMT library, against which the first and the other rungs are checked.

mod context;
mod interrupter;
mod library;

pub(crate) use context::Z3Context;
