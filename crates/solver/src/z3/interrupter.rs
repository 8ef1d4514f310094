//! Z3 cannot check our flag during a check, so another thread interrupts it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::Deadline;
use crate::z3::library::{Library, RawContext};

/// How often the flag is checked. This is a constant because it affects only when that is noticed.
const PERIOD: Duration = Duration::from_millis(50);

/// A context that is only ever used to interrupt what runs on it.
struct Running {
    z3: &'static Library,
    context: RawContext,
}

// SAFETY: `Z3_interrupt` is the one function that may be called from another thread while the context is in use.
unsafe impl Send for Running {}

impl Running {
    fn interrupt(&self) {
        // SAFETY: the context outlives the check that `watched` runs, and thereby this call.
        unsafe { (self.z3.interrupt)(self.context) }
    }
}

/// Runs a check on the context and interrupts it when the deadline's flag is set. Z3 keeps time limits itself.
pub(super) fn watched<R>(
    z3: &'static Library,
    context: RawContext,
    deadline: &Deadline,
    check: impl FnOnce() -> R,
) -> R {
    if !deadline.can_be_interrupted() {
        return check();
    }
    std::thread::scope(|scope| {
        let (finished, is_finished) = mpsc::channel::<()>();
        let running = Running { z3, context };
        // Starting a thread takes some microseconds, a check of Z3 hundreds. Without a thread, the check still ends at
        // its time limit.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
            while is_finished.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if deadline.is_interrupted() {
                    running.interrupt();
                }
            }
        });
        let result = check();
        drop(finished);
        result
    })
}
