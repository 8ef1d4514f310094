//! Compiles C to bitcode, with clang.

use crate::error::LoadError;
use crate::options::{Entry, LoadOptions, OptLevel};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Compiles one source file and returns the bitcode. The compiler's messages go to standard error.
pub(crate) fn compile(source: &Path, options: &LoadOptions) -> Result<Vec<u8>, LoadError> {
    // clang's own message would be less clear.
    let unreadable = |error| LoadError::Read { path: source.to_path_buf(), error };
    let file = std::fs::File::open(source).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
    }
    let folder = tempfile::tempdir().map_err(|error| LoadError::Read { path: std::env::temp_dir(), error })?;
    let bitcode = folder.path().join("out.bc");
    let mut output = run(source, &bitcode, options, false)?;
    if !output.status.success() && only_lacks_declarations(&output.stderr) {
        // Programs of SV-COMP use its functions without declaring them, which C no longer allows.
        let again = run(source, &bitcode, options, true)?;
        if again.status.success() {
            output = again;
        }
    }
    // A failure here cannot be reported to anybody.
    let _ = std::io::stderr().write_all(&output.stderr);
    if !output.status.success() {
        return Err(LoadError::Compile { path: source.to_path_buf() });
    }
    std::fs::read(&bitcode).map_err(|error| LoadError::Read { path: bitcode, error })
}

fn run(source: &Path, bitcode: &Path, options: &LoadOptions, svcomp: bool) -> Result<Output, LoadError> {
    let mut command = Command::new(&options.clang);
    command.args(["-c", "-emit-llvm", "-g", "-fno-discard-value-names", options.opt_level.flag()]);
    if options.opt_level == OptLevel::O0 {
        command.args(["-Xclang", "-disable-O0-optnone"]);
    }
    // Lowering splits vectors into scalars again, and vectorised loops have more branches.
    command.args(["-fno-vectorize", "-fno-slp-vectorize"]);
    if options.ubsan {
        command.arg("-fsanitize=signed-integer-overflow,shift");
    }
    if matches!(options.entry, Entry::Function(_)) {
        // An unused static function can still be tested.
        command.args(["-Xclang", "-femit-all-decls"]);
    }
    if std::io::stderr().is_terminal() {
        command.arg("-fcolor-diagnostics");
    }
    if let Some(include) = &options.runtime.include {
        command.arg("-I").arg(include);
    }
    if svcomp {
        command.args(["-include", "svcomp.h"]);
    }
    command.args(&options.cflags);
    if options.cflags.iter().any(|flag| flag.starts_with("-fsanitize=")) {
        // This sanitizer compares bytes in front of each function, which only functions compiled with it have; the
        // machine checks calls itself.
        command.arg("-fno-sanitize=function");
    }
    command.arg("-o").arg(bitcode).arg(as_operand(source));
    command.output().map_err(|error| LoadError::NoCompiler { path: options.clang.clone(), error })
}

/// A file whose name begins like an option is still a file.
fn as_operand(source: &Path) -> PathBuf {
    if source.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(source)
    } else {
        source.to_path_buf()
    }
}

/// Whether every error is about a function of SV-COMP that was not declared.
fn only_lacks_declarations(messages: &[u8]) -> bool {
    let text = String::from_utf8_lossy(messages);
    let mut errors = text.lines().filter(|line| line.contains("error:")).peekable();
    errors.peek().is_some()
        && errors
            .all(|line| line.contains("undeclared") && (line.contains("__VERIFIER_") || line.contains("reach_error")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_about_svcomp_lead_to_a_second_attempt() {
        let known = "a.c:1:9: error: call to undeclared function '__VERIFIER_nondet_int'; ISO C99 [-W]\n";
        let other = "a.c:2:9: error: expected ';' after expression\n";
        assert!(only_lacks_declarations(known.as_bytes()));
        assert!(only_lacks_declarations(format!("{known}1 error generated.\n").as_bytes()));
        assert!(!only_lacks_declarations(format!("{known}{other}").as_bytes()));
        assert!(!only_lacks_declarations(b"clang: cannot do that\n"));
    }
}
