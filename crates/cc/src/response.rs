//! Response files: `@file` on a command line stands for the arguments in that file.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// How deep response files may name others; clang itself refuses those that name themselves.
const MAX_DEPTH: usize = 16;

/// The arguments with those of response files in their place. An argument whose file cannot be read stays as it is, as
/// with clang.
pub(crate) fn expand(arguments: &[OsString]) -> io::Result<Vec<OsString>> {
    let mut all = Vec::new();
    add(arguments, MAX_DEPTH, &mut all);
    Ok(all)
}

fn add(arguments: &[OsString], depth: usize, all: &mut Vec<OsString>) {
    for argument in arguments {
        let content = match argument.as_bytes() {
            [b'@', file @ ..] if depth > 0 => fs::read(OsStr::from_bytes(file)).ok(),
            _ => None,
        };
        match content {
            Some(content) => add(&words(&content), depth - 1, all),
            None => all.push(argument.clone()),
        }
    }
}

/// The words of a response file: quotes join, a backslash makes the next character an ordinary one.
fn words(content: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(end), byte) if byte == end => quote = None,
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, byte) if byte.is_ascii_whitespace() => words.extend(word.take().map(OsString::from_vec)),
            (_, byte) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The longest command line that is passed on as it is; the system allows several times as much.
const MAX_LENGTH: usize = 100_000;

/// The arguments, or, if they are too long for a command line, a response file in the folder that has them.
pub(crate) fn shorten(arguments: Vec<OsString>, folder: &Path, name: &str) -> io::Result<Vec<OsString>> {
    if arguments.iter().map(|argument| argument.len() + 1).sum::<usize>() <= MAX_LENGTH {
        return Ok(arguments);
    }
    let file = folder.join(name);
    let quoted: Vec<Vec<u8>> = arguments.iter().map(|argument| quote(argument.as_bytes())).collect();
    fs::write(&file, quoted.join(&b'\n'))?;
    Ok(vec![[OsStr::new("@"), file.as_os_str()].concat_os()])
}

fn quote(argument: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in argument {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted.push(b'"');
    quoted
}

/// Joins parts of an argument.
pub(crate) trait ConcatOs {
    fn concat_os(&self) -> OsString;
}

impl ConcatOs for [&OsStr] {
    fn concat_os(&self) -> OsString {
        self.iter().fold(OsString::new(), |mut all, part| {
            all.push(part);
            all
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn os(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn quotes_and_backslashes_are_understood() {
        assert_eq!(
            words(b" -c  'a b.c'\n\"-DX=\\\"y\\\"\" a\\ b '' x'y'z\\"),
            os(&["-c", "a b.c", "-DX=\"y\"", "a b", "", "xyz"])
        );
    }

    #[test]
    fn response_files_may_name_others() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().join("outer"), folder.path().join("inner"));
        fs::write(&inner, "b.c @/no/such/file").unwrap();
        fs::write(&outer, format!("-c @{}", inner.display())).unwrap();
        let arguments = os(&["-O2", &format!("@{}", outer.display()), "a.c"]);
        assert_eq!(expand(&arguments).unwrap(), os(&["-O2", "-c", "b.c", "@/no/such/file", "a.c"]));
        // One that names itself ends.
        fs::write(&inner, format!("@{}", inner.display())).unwrap();
        assert_eq!(expand(&os(&[&format!("@{}", inner.display())])).unwrap().len(), 1);
    }

    #[test]
    fn long_command_lines_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let arguments: Vec<OsString> = (0..30_000).map(|number| format!("a \"{number}\\").into()).collect();
        let short = shorten(arguments.clone(), folder.path(), "arguments").unwrap();
        assert_eq!(short.len(), 1);
        assert_eq!(expand(&short).unwrap(), arguments);
        assert_eq!(shorten(os(&["a"]), folder.path(), "arguments").unwrap(), os(&["a"]));
    }
}
