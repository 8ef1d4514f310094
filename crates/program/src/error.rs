//! What can go wrong while a program is loaded: one clear sentence each.

use std::path::PathBuf;

/// Why a program cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No file was given.
    #[error("no program was given")]
    NoInput,
    /// A file cannot be read.
    #[error("cannot read {}: {}", path.display(), system_reason(error))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file has an unknown extension.
    #[error(
        "cannot load {}: it is not a .c, .i, .bc or .ll file, nor an executable, object or archive of `secateur cc`",
        path.display()
    )]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// A script that libtool has put in the place of a program.
    #[error("cannot load {}: it is a script of libtool; give the program itself, {}", path.display(), program.display())]
    Libtool {
        /// The script.
        path: PathBuf,
        /// What it runs.
        program: PathBuf,
    },
    /// A native file that was not built with our compiler.
    #[error(
        "cannot load {}: {} has no bitcode{}; build it with `secateur cc`, as in: CC=\"secateur cc\" make",
        path.display(),
        what,
        if *stripped { " (it was stripped, perhaps of that, too)" } else { "" }
    )]
    NoBitcode {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// It lacks its table of symbols.
        stripped: bool,
    },
    /// A native file that cannot be read.
    #[error("cannot load {}: {error}", path.display())]
    Embedded {
        /// The file.
        path: PathBuf,
        /// Why.
        error: secateur_embed::EmbedError,
    },
    /// The compiler cannot be started.
    #[error("cannot run {}: {}; install the package clang-19", path.display(), system_reason(error))]
    NoCompiler {
        /// The compiler.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The compiler found errors, which it has printed.
    #[error("cannot compile {}: the compiler found errors", path.display())]
    Compile {
        /// The source file.
        path: PathBuf,
    },
    /// The process that reads bitcode cannot be started.
    #[error("cannot start a process to read bitcode in: {}", system_reason(error))]
    NoChild {
        /// What the system says.
        error: std::io::Error,
    },
    /// Reading the file takes too long.
    #[error("cannot load {} within {limit:?}; allow more time with --load-timeout, unless the file is damaged", path.display())]
    TooSlow {
        /// The file.
        path: PathBuf,
        /// How long it was given.
        limit: std::time::Duration,
    },
    /// LLVM cannot parse the file.
    #[error("cannot read {}: not LLVM 19 bitcode ({reason})", path.display())]
    NotBitcode {
        /// The file.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// The file parses but breaks LLVM's rules.
    #[error("cannot use {}: not valid LLVM 19 code ({reason})", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// The file is for another kind of machine.
    #[error("cannot use {}: it is for {target}, not for x86-64 Linux; compile it with --target=x86_64-linux-gnu", path.display())]
    Target {
        /// The file.
        path: PathBuf,
        /// What it is for.
        target: String,
    },
    /// Files cannot be linked.
    #[error("cannot link {}: {reason}", path.display())]
    Link {
        /// The file that was added.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// There is no function to start with.
    #[error("the program has neither `main` nor `LLVMFuzzerTestOneInput`, and no function to start with was named")]
    NoEntry,
    /// The function to start with does not exist.
    #[error("the program has no function `{name}`{}", if nearest.is_empty() { String::new() } else { format!("; did you mean `{nearest}`?") })]
    NoFunction {
        /// What was asked for.
        name: String,
        /// The most similar name, or nothing.
        nearest: String,
    },
    /// A global variable that should become symbolic does not exist.
    #[error("the program has no global variable `{name}` that can change{}", if nearest.is_empty() { String::new() } else { format!("; did you mean `{nearest}`?") })]
    NoGlobal {
        /// What was asked for.
        name: String,
        /// The most similar name, or nothing.
        nearest: String,
    },
    /// The function to start with has a parameter that cannot be made symbolic.
    #[error("cannot start with `{function}`: {reason}")]
    Entry {
        /// The function.
        function: String,
        /// Which parameter, and why.
        reason: String,
    },
    /// A global variable that cannot be represented.
    #[error("cannot load the global variable `{name}`: {reason}")]
    Global {
        /// The variable.
        name: String,
        /// Why.
        reason: String,
    },
    /// The C library or another part of the runtime is damaged.
    #[error("the runtime is damaged: {reason}")]
    Runtime {
        /// What is wrong with which file.
        reason: String,
    },
    /// The result of loading is not well-formed: our own fault.
    #[error("the loaded program is malformed: {reason}")]
    Malformed {
        /// The first few faults.
        reason: String,
    },
}

/// What the system says, without the number of the error.
fn system_reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
