//! Which name somebody may have meant.

/// The known name that is most like another one; empty if none is alike.
pub fn nearest(name: &str, known: impl Iterator<Item = String>) -> String {
    let nearest = known.map(|known| (strsim::levenshtein(name, &known), known)).min();
    let alike = nearest.filter(|(distance, _)| *distance <= name.chars().count() / 3 + 1);
    alike.map(|(_, name)| name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_alike_is_suggested() {
        let known = || ["lookahead", "none"].map(String::from).into_iter();
        assert_eq!(nearest("lokahead", known()), "lookahead");
        assert_eq!(nearest("non", known()), "none");
        assert_eq!(nearest("everything", known()), "");
    }
}
