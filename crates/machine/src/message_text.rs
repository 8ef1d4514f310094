//! Text under the current input, for messages only.

use std::fmt;

/// Text under the current input. It can only be displayed, so no path can depend on it by accident.
pub(crate) struct MessageText(String);

impl MessageText {
    /// Displays bytes as text, replacing invalid ones.
    pub(crate) fn text(bytes: &[u8]) -> MessageText {
        MessageText(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl fmt::Display for MessageText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
