//! Which name somebody may have meant.

/// The known name that is most like another one; empty if none is alike.
pub fn nearest(name: &str, known: impl Iterator<Item = String>) -> String {
    alike(name, known).into_iter().next().unwrap_or_default()
}

/// The known names that are like another one, the most similar first.
pub fn alike(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let all = known.map(|known| (distance(name, &known), known));
    let mut alike: Vec<_> = all.filter(|(distance, _)| *distance <= name.chars().count() / 3 + 1).collect();
    alike.sort();
    alike.dedup();
    alike.into_iter().map(|(_, name)| name).collect()
}

/// How many letters must be changed, added or removed to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("main", "main"), 0);
        assert_eq!(distance("mian", "main"), 2);
        assert_eq!(distance("parse", "parser"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn only_what_is_alike_is_suggested() {
        let known = || ["lookahead", "none"].map(String::from).into_iter();
        assert_eq!(nearest("lokahead", known()), "lookahead");
        assert_eq!(nearest("non", known()), "none");
        assert_eq!(nearest("everything", known()), "");
    }

    #[test]
    fn the_most_similar_names_come_first() {
        let known = ["parse_all", "purse", "parse", "print", "parses"].map(String::from);
        assert_eq!(alike("parse", known.into_iter()), ["parse", "parses", "purse"]);
    }
}
