//! Compiles a source file to bitcode, as the command line says.

use crate::command::{Argument, Input, Invocation};
use crate::language::Language;
use crate::native::Native;
use crate::options::{ForBitcode, for_bitcode};
use crate::{record, response};
use secateur_embed::{Kind, Record};
use secateur_program::compiler;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// What is stored for a source file: its bitcode, or why there is none.
pub(crate) fn record_of(clang: &Path, invocation: &Invocation, source: &Input, native: &Native<'_>) -> Record {
    let language = match source.language {
        Language::Bitcode(language) => language,
        Language::Skipped(reason) => return record(Kind::Skipped, &source.name, reason.into()),
        Language::Object => return record(Kind::Skipped, &source.name, b"it is an object".to_vec()),
    };
    let bitcode = native.folder.join("out.bc");
    let compiled = compile(clang, invocation, source, language, &bitcode, native);
    let reason = match compiled {
        Ok(output) if output.status.success() => match fs::read(&bitcode) {
            Ok(content) => return record(Kind::Bitcode, &source.name, content),
            Err(error) => error.to_string(),
        },
        Ok(output) => {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            let error = messages.lines().find(|line| line.contains("error:")).unwrap_or("the compiler fails");
            format!("clang does not compile it to bitcode: {}", error.trim())
        }
        Err(error) => error.to_string(),
    };
    record(Kind::Skipped, &source.name, reason.into_bytes())
}

fn compile(
    clang: &Path,
    invocation: &Invocation,
    source: &Input,
    language: &str,
    bitcode: &Path,
    native: &Native<'_>,
) -> io::Result<Output> {
    let mut arguments: Vec<OsString> = native.old_c_flags().map(Into::into).collect();
    let mut ubsan = false;
    for argument in &invocation.arguments {
        let Argument::Option { name, value } = argument else { continue };
        match for_bitcode(&name.to_string_lossy()) {
            ForBitcode::Keep => {
                arguments.push(name.clone());
                arguments.extend(value.clone());
            }
            ForBitcode::Replace(text) => {
                ubsan = true;
                arguments.push(text.into());
            }
            ForBitcode::Drop => {}
        }
    }
    if ubsan {
        arguments.extend(compiler::WITH_SANITIZERS.map(Into::into));
    }
    // The native compiler has shown the warnings.
    arguments.extend(["-c", "-emit-llvm", "-g", "-w", "-Qunused-arguments"].map(Into::into));
    arguments.extend(compiler::FOR_BITCODE.map(Into::into));
    arguments.extend(["-Xclang", "-disable-O0-optnone", "-o"].map(Into::into));
    arguments.push(bitcode.into());
    arguments.extend(["-x".into(), language.into(), source.as_operand().into_os_string()]);
    Command::new(clang)
        .args(response::shorten(arguments, native.folder, "bitcode.rsp")?)
        .stdin(native.stdin(source.is_stdin())?)
        .output()
}
