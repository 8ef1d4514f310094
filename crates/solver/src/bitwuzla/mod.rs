//! Bitwuzla: the strongest solver for bit-vectors, arrays and floats, and our default.

mod context;

pub(crate) use context::BitwuzlaContext;
