//! Text that is safe to print on a terminal.

/// Replaces control characters by an escape such as `\u{1b}`: text of the program must not reach the terminal as
/// commands.
pub fn printable(text: String) -> String {
    if !text.chars().any(char::is_control) {
        return text;
    }
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("plain – text".to_string()), "plain – text");
        assert_eq!(printable("a\u{1b}[31m\n".to_string()), "a\\u{1b}[31m\\n");
        assert_eq!(printable("\u{9b}1m".to_string()), "\\u{9b}1m");
    }
}
