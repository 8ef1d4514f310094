//! How a program is linked: its libraries, for native replay, which compiles the bitcode and links the same, and the
//! symbols that mean others, which only the linker knows of.

use crate::command::{Argument, Invocation};
use crate::language::Language;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The options, each ending in a zero byte: `-l`, `-L` and files, both with absolute paths, `-pthread`, and `--wrap=`
/// and `--defsym=` of the linker.
pub(crate) fn of(invocation: &Invocation) -> Vec<Vec<u8>> {
    let mut options = Vec::new();
    for argument in &invocation.arguments {
        match argument {
            Argument::Option { name, value } => options.extend(option(name, value.as_deref())),
            Argument::Input(input) if input.language == Language::Object && is_library(&input.name) => {
                options.push(absolute(&input.name));
            }
            _ => {}
        }
    }
    options.extend(symbols(&linker_words(invocation)));
    options.retain(|option| !option.contains(&0));
    options.iter_mut().for_each(|option| option.push(0));
    options
}

fn option(name: &OsStr, value: Option<&OsStr>) -> Option<Vec<u8>> {
    let (name, value) = (name.as_bytes(), value.map(OsStr::as_bytes));
    match (name, value) {
        (b"-pthread", None) => Some(name.to_vec()),
        (b"-l", Some(library)) | ([b'-', b'l', library @ ..], None) if !library.is_empty() => {
            Some([b"-l", library].concat())
        }
        (b"-L" | b"--library-directory", Some(folder)) | ([b'-', b'L', folder @ ..], None) if !folder.is_empty() => {
            Some([b"-L".to_vec(), absolute(OsStr::from_bytes(folder))].concat())
        }
        _ => None,
    }
}

/// What is passed on to the linker, by `-Wl,` and `-Xlinker`.
fn linker_words(invocation: &Invocation) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    for (name, value) in invocation.options() {
        match (name.as_bytes(), value) {
            (b"-Xlinker" | b"--for-linker", Some(word)) => words.push(word.as_bytes().to_vec()),
            ([b'-', b'W', b'l', b',', list @ ..], None) => {
                words.extend(list.split(|byte| *byte == b',').map(<[u8]>::to_vec));
            }
            _ => {}
        }
    }
    words
}

/// The options of the linker that make symbols mean others, in the form `--wrap=` and `--defsym=`.
fn symbols(words: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut options = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // The linker takes one dash or two.
        let Some(text) = word.strip_prefix(b"--").or_else(|| word.strip_prefix(b"-")) else { continue };
        for option in [&b"wrap"[..], b"defsym"] {
            match text.strip_prefix(option) {
                Some([]) => {
                    let value = words.next().map(Vec::as_slice).unwrap_or_default();
                    options.push([b"--", option, b"=", value].concat());
                }
                Some([b'=', ..]) => options.push([b"--", text].concat()),
                _ => {}
            }
        }
    }
    options
}

/// An archive or a shared object, with or without a version.
fn is_library(name: &OsStr) -> bool {
    let file = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    file.ends_with(".a") || file.ends_with(".so") || file.contains(".so.")
}

fn absolute(path: &OsStr) -> Vec<u8> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    path.into_os_string().into_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_recorded() {
        let line = "-O2 a.o -lm -l z -L/x -pthread -Wl,-z,now /y/libq.a ./b.so.1 c.c";
        let words: Vec<_> = line.split(' ').map(Into::into).collect();
        let text = String::from_utf8(of(&Invocation::parse(&words)).concat()).unwrap();
        let here = std::env::current_dir().unwrap();
        let expected = format!("-lm\0-lz\0-L/x\0-pthread\0/y/libq.a\0{}/b.so.1\0", here.display());
        assert_eq!(text, expected);
    }

    #[test]
    fn symbols_that_mean_others_are_recorded() {
        let line = "a.o -Wl,--wrap=f,-z,now -Wl,-wrap,g -Xlinker --wrap -Xlinker h -Wl,--defsym=a=b -Wl,--wrapped";
        let words: Vec<_> = line.split(' ').map(Into::into).collect();
        let text = String::from_utf8(of(&Invocation::parse(&words)).concat()).unwrap();
        assert_eq!(text, "--wrap=f\0--wrap=g\0--wrap=h\0--defsym=a=b\0");
    }
}
