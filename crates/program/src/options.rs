//! The options of loading.

use std::path::PathBuf;
use std::time::Duration;

use crate::tuning::Tuning;

/// How much clang optimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum OptLevel {
    #[default]
    O0,
    O1,
    O2,
    O3,
}

impl OptLevel {
    /// The compiler's option.
    pub fn flag(self) -> &'static str {
        match self {
            OptLevel::O0 => "-O0",
            OptLevel::O1 => "-O1",
            OptLevel::O2 => "-O2",
            OptLevel::O3 => "-O3",
        }
    }
}

/// Where execution starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Entry {
    /// `main`, else `LLVMFuzzerTestOneInput` with at most 4,096 bytes.
    #[default]
    Auto,
    /// `main`, as it is.
    Main,
    /// A function, whose parameters become symbolic.
    Function(UnitOptions),
    /// `LLVMFuzzerTestOneInput`, with symbolic data.
    LibFuzzer {
        /// The maximum size of the data in bytes.
        max_len: u32,
    },
}

/// A single function to test, and how large its input may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitOptions {
    /// Its name.
    pub function: String,
    /// How many elements a pointer points to.
    pub array_len: u32,
    /// How many characters a string may have.
    pub str_len: u32,
    /// How many pointers in a chain are followed; further ones are null.
    pub pointer_depth: u32,
    /// Pointer parameters are never null.
    pub non_null: bool,
    /// Which global variables are part of the input.
    pub globals: SymbolicGlobals,
}

impl UnitOptions {
    /// A function with the usual bounds.
    pub fn new(function: &str) -> UnitOptions {
        UnitOptions {
            function: function.to_string(),
            array_len: 8,
            str_len: 8,
            pointer_depth: 3,
            non_null: false,
            globals: SymbolicGlobals::None,
        }
    }
}

/// Which global variables of the user's are symbolic when a single function is tested.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SymbolicGlobals {
    /// None: all have their initial values.
    #[default]
    None,
    /// All mutable ones of the file that defines the function.
    All,
    /// These.
    Named(Vec<String>),
}

/// Where our own headers and C library are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Runtime {
    /// Folder of `klee/klee.h`, `crest.h`, `score.h` and `svcomp.h`.
    pub include: Option<PathBuf>,
    /// Folder of the C library as bitcode, with its `index`: lines of `symbol member.bc`.
    pub libc: Option<PathBuf>,
}

impl Runtime {
    /// The runtime that is installed in a folder.
    pub fn at(folder: &std::path::Path) -> Runtime {
        Runtime { include: Some(folder.join("include")), libc: Some(folder.join("libc")) }
    }
}

/// What to load, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadOptions {
    /// Source (.c, .i) and LLVM (.bc, .ll) files, and what `secateur cc` has built: executables, objects, archives.
    /// They are linked together.
    pub inputs: Vec<PathBuf>,
    /// For source files.
    pub opt_level: OptLevel,
    /// Refuse what clang refuses, although it is common in old C.
    pub strict: bool,
    /// Print the compiler's warnings, rather than count them.
    pub show_warnings: bool,
    /// More options for the compiler.
    pub cflags: Vec<String>,
    /// Our headers and C library.
    pub runtime: Runtime,
    /// Where execution starts.
    pub entry: Entry,
    /// How many calls of the program to the C library may fail on one path, although nothing is wrong with them.
    pub fail_calls: u32,
    /// What clocks show is input.
    pub symbolic_time: bool,
    /// Which process, user and host the program runs as is input.
    pub symbolic_identity: bool,
    /// Functions that the machine implements, which are never taken from the C library.
    pub shims: Vec<String>,
    /// For a libFuzzer harness: decide on the size of its data first, so that each size is a path of its own, rather
    /// than where the program looks at it.
    pub pin_size: bool,
    /// Keep local variables whose address is not taken in slots, which is much faster; otherwise they are in memory.
    pub promote_locals: bool,
    /// Compile source files with checks for signed overflow and shifts.
    pub ubsan: bool,
    /// The compiler: clang 19.
    pub clang: PathBuf,
    /// How long LLVM may take with files that did not come from our compiler; by default, in proportion to their size.
    pub timeout: Option<Duration>,
    /// Numbers that can be tuned by measuring.
    pub tuning: Tuning,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            inputs: Vec::new(),
            opt_level: OptLevel::default(),
            strict: false,
            show_warnings: false,
            cflags: Vec::new(),
            runtime: Runtime::default(),
            entry: Entry::default(),
            fail_calls: 0,
            symbolic_time: false,
            symbolic_identity: false,
            shims: Vec::new(),
            pin_size: true,
            promote_locals: true,
            ubsan: false,
            clang: PathBuf::from("clang-19"),
            timeout: None,
            tuning: Tuning::default(),
        }
    }
}
