//! What a program of `bench/interpolation` says about itself; the README of that folder describes the form.

use std::path::{Path, PathBuf};

/// A program, the options to run it with, and its planted bug.
pub struct Header {
    pub file: PathBuf,
    /// Its path below `bench/interpolation`, without the ending.
    pub name: String,
    /// The kind of the planted bug.
    pub bug: String,
    /// The lines at which it may be reported.
    pub bug_lines: Vec<u64>,
    /// Without pruning, exploring it never ends.
    pub is_endless: bool,
    /// Options with which it ends after some while even without pruning.
    pub measured: Vec<String>,
}

impl Header {
    /// The programs of a folder and of the folders in it, in a fixed order.
    pub fn all(folder: &Path) -> Result<Vec<Header>, String> {
        let mut headers = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(next) = folders.pop() {
            let entries =
                std::fs::read_dir(&next).map_err(|error| format!("cannot read {}: {error}", next.display()))?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "c") {
                    headers.push(Header::read(folder, path)?);
                }
            }
        }
        headers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(headers)
    }

    fn read(folder: &Path, file: PathBuf) -> Result<Header, String> {
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let name = file.strip_prefix(folder).unwrap_or(&file).with_extension("").display().to_string();
        Header::parse(&text, file.clone(), name).map_err(|message| format!("{}: {message}", file.display()))
    }

    fn parse(text: &str, file: PathBuf, name: String) -> Result<Header, String> {
        let value = |key: &str| {
            let lines = text.lines().take_while(|line| line.starts_with("//"));
            lines.filter_map(|line| line.strip_prefix("//! ")?.split_once(": ")).find(|(found, _)| *found == key)
        };
        let words = |key: &str| -> Vec<String> {
            value(key).map(|(_, text)| text.split_whitespace().map(str::to_string).collect()).unwrap_or_default()
        };
        if words("verdict") != ["VERIFIED"] {
            return Err("`verdict` is not VERIFIED".to_string());
        }
        let [verdict, bug] = &words("verdict[BUG]")[..] else { return Err("`verdict[BUG]` is not known".to_string()) };
        let lines = text.lines().zip(1..).filter(|(line, _)| line.contains(&format!("//~ BUG {bug}")));
        let bug_lines: Vec<u64> = lines.map(|(_, number)| number).collect();
        if verdict != "BUG" || bug_lines.is_empty() {
            return Err("no line is marked as that of the bug".to_string());
        }
        Ok(Header {
            file,
            name,
            bug: bug.clone(),
            bug_lines,
            is_endless: words("endless") == ["yes"],
            measured: words("measured"),
        })
    }

    pub fn is_driver(&self) -> bool {
        self.name.starts_with("drivers/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_up_to_the_first_line_of_code() {
        let text = "// About.\n//! verdict: VERIFIED\n//! verdict[BUG]: BUG assertion\n//! endless: yes\n\
                    //! measured: -DN=1 -DK=2\nint x;\n//! endless: no\nassert(x); //~ BUG assertion\n";
        let header = Header::parse(text, PathBuf::from("a.c"), "a".to_string()).unwrap();
        assert_eq!((header.bug.as_str(), &header.bug_lines[..], header.is_endless), ("assertion", &[8][..], true));
        assert_eq!(header.measured, ["-DN=1", "-DK=2"]);
        assert!(Header::parse("//! verdict: VERIFIED\n", PathBuf::new(), String::new()).is_err());
        let unmarked = text.replace("//~", "//");
        assert!(Header::parse(&unmarked, PathBuf::new(), String::new()).is_err());
    }
}
