//! Texts as they are under one input, for messages only.

use std::fmt;

/// What a text is under the input that is followed. It can be shown and nothing else, so that no path depends on it unnoticed.
pub(crate) struct Shown(String);

impl Shown {
    /// A text, as far as it can be read.
    pub(crate) fn text(bytes: &[u8]) -> Shown {
        Shown(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
