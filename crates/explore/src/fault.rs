//! Internal errors: a panic ends the path or the question in which it happens, not the run.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are caught.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    /// The message and the location of the last panic.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does some work; if it panics, returns the message and the location of the panic. Whatever the work may have left
/// half-changed must not be used afterwards.
pub(crate) fn catch<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    install_hook();
    CATCHING.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    result.map_err(|_| MESSAGE.take())
}

/// Installs a panic hook. Panics that are caught appear in the summary of the run; all others are printed as usual.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !CATCHING.get() {
                return print(panic);
            }
            let payload = panic.payload();
            let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
            let place = panic.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
            MESSAGE.set(format!("{text}{place}"));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(catch(|| 7), Ok(7));
        let message = catch(|| panic!("too {}", "deep")).unwrap_err();
        assert!(message.starts_with("too deep (") && message.contains("fault.rs:"), "{message}");
        assert_eq!(catch(|| 8), Ok(8));
    }
}
