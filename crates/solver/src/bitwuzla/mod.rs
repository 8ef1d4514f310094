//! Bitwuzla: the strongest solver for bit-vectors and floats, and the default.

mod context;

pub(crate) use context::BitwuzlaContext;
