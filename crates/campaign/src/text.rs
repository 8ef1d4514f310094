//! Numbers in sentences.

/// A count with its unit, in the singular where it is one.
pub(crate) fn count(number: usize, singular: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {singular}{plural}")
}
