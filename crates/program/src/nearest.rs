//! Suggestions for a misspelt name.

/// The known name that is most similar; empty if none is similar.
pub fn nearest(name: &str, known: impl Iterator<Item = String>) -> String {
    similar(name, known).into_iter().next().unwrap_or_default()
}

/// The known names that are similar, the most similar first.
pub fn similar(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let all = known.map(|known| (strsim::levenshtein(name, &known), known));
    let mut similar: Vec<_> = all.filter(|(distance, _)| *distance <= name.chars().count() / 3 + 1).collect();
    similar.sort();
    similar.dedup();
    similar.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let known = || ["lookahead", "none"].map(String::from).into_iter();
        assert_eq!(nearest("lokahead", known()), "lookahead");
        assert_eq!(nearest("non", known()), "none");
        assert_eq!(nearest("everything", known()), "");
    }

    #[test]
    fn the_most_similar_names_come_first() {
        let known = ["parse_all", "purse", "parse", "print", "parses"].map(String::from);
        assert_eq!(similar("parse", known.into_iter()), ["parse", "parses", "purse"]);
    }
}
