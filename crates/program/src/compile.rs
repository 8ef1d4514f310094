//! Compiles C to bitcode, with clang.

use crate::compiler;
use crate::error::LoadError;
use crate::options::{Entry, LoadOptions, OptLevel};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A source file that was compiled.
pub(crate) struct Compiled {
    pub(crate) bitcode: Vec<u8>,
    /// How many warnings the compiler had that were not printed.
    pub(crate) warnings: usize,
}

/// Compiles one source file. The compiler's errors go to standard error; warnings only if the user wants them, since
/// most are about code that is not the user's own.
pub(crate) fn compile(source: &Path, options: &LoadOptions) -> Result<Compiled, LoadError> {
    // clang's own message would be less clear.
    let unreadable = |error| LoadError::Read { path: source.to_path_buf(), error };
    let file = std::fs::File::open(source).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
    }
    let folder = tempfile::tempdir().map_err(|error| LoadError::Read { path: std::env::temp_dir(), error })?;
    let bitcode = folder.path().join("out.bc");
    let mut output = run(source, &bitcode, options, false)?;
    let messages = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    if lacks_declarations(&messages(&output)) {
        // Programs of SV-COMP use its functions without declaring them, which C no longer allows.
        let again = run(source, &bitcode, options, true)?;
        if again.status.success() {
            output = again;
        } else if output.status.success() {
            // The failed attempt may have removed the output of the first.
            output = run(source, &bitcode, options, false)?;
        }
    }
    let failed = !output.status.success();
    let warnings = if failed || options.show_warnings {
        // A failure here cannot be reported to anybody.
        let _ = std::io::stderr().write_all(&output.stderr);
        0
    } else {
        messages(&output).lines().filter(|line| line.contains("warning: ")).count()
    };
    if failed {
        return Err(LoadError::Compile { path: source.to_path_buf() });
    }
    let bitcode = std::fs::read(&bitcode).map_err(|error| LoadError::Read { path: bitcode, error })?;
    Ok(Compiled { bitcode, warnings })
}

fn run(source: &Path, bitcode: &Path, options: &LoadOptions, svcomp: bool) -> Result<Output, LoadError> {
    let mut command = Command::new(&options.clang);
    command.args(["-c", "-emit-llvm", "-g", options.opt_level.flag()]).args(compiler::FOR_BITCODE);
    if !options.strict {
        command.args(compiler::OLD_C);
    }
    if options.opt_level == OptLevel::O0 {
        command.args(["-Xclang", "-disable-O0-optnone"]);
    }
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
        command.args(compiler::WITH_SANITIZERS);
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

/// Whether a function of SV-COMP was not declared, and nothing else is an error.
fn lacks_declarations(messages: &str) -> bool {
    let of_svcomp = |line: &str| {
        line.contains("undeclared function") && (line.contains("__VERIFIER_") || line.contains("reach_error"))
    };
    let mut errors = messages.lines().filter(|line| line.contains(" error: "));
    messages.lines().any(of_svcomp) && errors.all(of_svcomp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_svcomp_lead_to_a_second_attempt() {
        let known = "a.c:1:9: warning: call to undeclared function '__VERIFIER_nondet_int'; ISO C99 [-W]\n";
        let own = "a.c:1:9: warning: call to undeclared function 'launch'; ISO C99 [-W]\n";
        let other = "a.c:2:9: error: expected ';' after expression\n";
        assert!(lacks_declarations(known));
        assert!(lacks_declarations(&known.replace("warning", "error")));
        assert!(lacks_declarations(&format!("{known}{own}2 warnings generated.\n")));
        assert!(!lacks_declarations(&format!("{known}{other}")));
        assert!(!lacks_declarations(own));
        assert!(!lacks_declarations("clang: cannot do that\n"));
    }
}
