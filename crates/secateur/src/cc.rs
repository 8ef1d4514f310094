//! `secateur cc`: compiles like `cc`, and keeps bitcode in what it makes.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

use secateur_program::LoadOptions;

use crate::{BAD_INPUT, OWN_FAULT};

/// The name under which this program is only a compiler, for builds whose compiler must be a single word.
const COMPILER: &str = "secateur-cc";

/// The compiler's arguments, if that is what this program was called as.
pub(crate) fn arguments(mut line: impl Iterator<Item = OsString>) -> Option<Vec<OsString>> {
    let program = line.next()?;
    if Path::new(&program).file_name().is_some_and(|name| name == COMPILER) {
        return Some(line.collect());
    }
    (line.next()? == "cc").then(|| line.collect())
}

/// Runs the compiler, and returns its exit code.
pub(crate) fn cc(arguments: Vec<OsString>) -> u8 {
    let clang = LoadOptions::default().clang;
    match secateur_cc::cc(&clang, arguments) {
        // Exit codes are bytes.
        Ok(code) => u8::try_from(code).unwrap_or(OWN_FAULT),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("secateur cc: cannot run {}: {error}; install the package clang-19", clang.display());
            BAD_INPUT
        }
        Err(error) => {
            eprintln!("secateur cc: {error}");
            BAD_INPUT
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_has_two_names() {
        let arguments = |line: &str| super::arguments(line.split(' ').map(OsString::from));
        assert_eq!(arguments("secateur cc -c a.c"), Some(vec!["-c".into(), "a.c".into()]));
        assert_eq!(arguments("/usr/bin/secateur-cc cc"), Some(vec!["cc".into()]));
        assert_eq!(arguments("secateur run a.c"), None);
        assert_eq!(arguments("secateur"), None);
    }
}
