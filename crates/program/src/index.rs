//! Which member of the C library defines a symbol.

use crate::error::LoadError;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The file `index` of the C library: lines `symbol member`, sorted by their bytes. Few of its two thousand symbols are
/// ever looked up, so it is searched rather than read into a map.
pub(crate) struct Index {
    path: PathBuf,
    text: String,
}

impl Index {
    /// Reads the index in the folder of the C library.
    pub(crate) fn read(folder: &Path) -> Result<Index, LoadError> {
        let path = folder.join("index");
        let text = std::fs::read_to_string(&path).map_err(|error| LoadError::Read { path: path.clone(), error })?;
        Ok(Index { path, text })
    }

    /// The file in which a symbol is defined, if it is one of the library.
    pub(crate) fn member(&self, symbol: &str) -> Result<Option<&str>, LoadError> {
        let bytes = self.text.as_bytes();
        let (mut low, mut high) = (0, bytes.len());
        while low < high {
            let middle = (low + high) / 2;
            let start = bytes[low..middle].iter().rposition(|&byte| byte == b'\n').map_or(low, |at| low + at + 1);
            let end = bytes[middle..high].iter().position(|&byte| byte == b'\n').map_or(high, |at| middle + at);
            let (known, member) = self.entry(start, end)?;
            // A space sorts before every character of a symbol, so lines are in the order of their symbols.
            match known.cmp(symbol) {
                Ordering::Less => low = end + 1,
                Ordering::Equal => return Ok(Some(member)),
                Ordering::Greater => high = start,
            }
        }
        Ok(None)
    }

    /// The symbol and the member of the line between two places.
    fn entry(&self, start: usize, end: usize) -> Result<(&str, &str), LoadError> {
        match self.text[start..end].split_once(' ') {
            Some((symbol, member)) if !member.contains(' ') => Ok((symbol, member)),
            _ => {
                let number = self.text[..start].lines().count() + 1;
                let reason = format!("{}:{number}: not `symbol member`", self.path.display());
                Err(LoadError::Runtime { reason })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> Index {
        Index { path: PathBuf::from("index"), text: text.to_string() }
    }

    #[test]
    fn symbols_are_found() {
        let text = "_Exit exit._Exit.bc\nabs stdlib.abs.bc\nabs_all b.bc\nz c.bc\n";
        let expected = [
            ("_Exit", Some("exit._Exit.bc")),
            ("abs", Some("stdlib.abs.bc")),
            ("abs_all", Some("b.bc")),
            ("z", Some("c.bc")),
        ];
        for (symbol, file) in expected.into_iter().chain([("", None), ("ab", None), ("abs_", None), ("zz", None)]) {
            assert_eq!(index(text).member(symbol).expect("good lines"), file, "{symbol}");
            assert_eq!(index(text.trim_end()).member(symbol).expect("good lines"), file, "{symbol}");
        }
        assert_eq!(index("").member("abs").expect("no lines"), None);
    }

    #[test]
    fn a_damaged_line_is_named() {
        for (text, number) in [("a\n", 1), ("a x.bc\nb y.bc and more\n", 2), ("a x.bc\n\n", 2)] {
            let error = index(text).member("b").expect_err("a bad line").to_string();
            assert!(error.ends_with(&format!("index:{number}: not `symbol member`")), "{error}");
        }
    }
}
