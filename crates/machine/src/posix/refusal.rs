//! Why a system call does not return normally.

use crate::machine::Stop;

/// A number of `errno.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Errno(pub i32);

/// What ends a system call early.
pub(crate) enum Refusal {
    /// The call fails, and the program goes on.
    Error(Errno),
    /// The path needs a decision, or ends.
    Stop(Stop),
}

/// The result of a system call, or of a part of one.
pub(crate) type CallResult<T = u64> = Result<T, Refusal>;

impl From<Errno> for Refusal {
    fn from(error: Errno) -> Refusal {
        Refusal::Error(error)
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stop(stop)
    }
}

/// The call fails with this error number.
pub(crate) fn fail<T>(number: i32) -> CallResult<T> {
    Err(Refusal::Error(Errno(number)))
}
