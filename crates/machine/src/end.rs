//! How a path ends: one enum lists every way.

use secateur_program::{FuncId, LocId};
use serde::{Deserialize, Serialize};

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    /// `main` returned or the program called `exit`.
    Exit(i32),
    /// A check failed.
    Bug(Box<Bug>),
    /// An assumption of the harness does not hold for this input, or the harness ended the path (`klee_silent_exit`).
    Assumed,
    /// A check failed that is disabled. How the program would go on is unknown.
    Ignored(BugKind),
    /// The path reached something that is not modelled.
    Unsupported(Box<Unsupported>),
    /// A limit on a single path was hit.
    Limit(Limit),
}

/// What is wrong with the program, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bug {
    /// The check that failed.
    pub kind: BugKind,
    /// One sentence for the user, e.g. "write of 4 bytes at offset 16 of `a` (16 bytes)".
    pub message: String,
    /// The call stack, innermost first.
    pub stack: Vec<(FuncId, LocId)>,
}

/// What is not modelled, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unsupported {
    /// The construct, e.g. "external function `fork`".
    pub what: String,
    /// The call stack, innermost first.
    pub stack: Vec<(FuncId, LocId)>,
}

/// The limits that end a single path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Limit {
    /// `--max-instructions`.
    Instructions,
    /// `--max-depth`: symbolic decisions on the path.
    Depth,
    /// More expressions than the pool can hold.
    Expressions,
    /// A limit of the whole run interrupted the path.
    Run,
    /// Everything that could follow is accounted for by other paths.
    Subsumed,
    /// `--max-memory`.
    Memory,
    /// `--max-alloc`.
    Allocation,
    /// `--max-input`.
    Input,
}

impl Limit {
    /// Its name in tests and reports.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Instructions => "instructions",
            Limit::Depth => "depth",
            Limit::Expressions => "expressions",
            Limit::Run => "run",
            Limit::Subsumed => "subsumed",
            Limit::Memory => "memory",
            Limit::Allocation => "allocation",
            Limit::Input => "input",
        }
    }
}

macro_rules! bug_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal;)*) => {
        /// The checks that a program can fail.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum BugKind {
            $($(#[$doc])* $kind,)*
        }

        impl BugKind {
            /// All kinds, in order.
            pub const ALL: &'static [BugKind] = &[$(BugKind::$kind,)*];

            /// The name in reports and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(BugKind::$kind => $name,)*
                }
            }

            /// The kind with this name.
            pub fn from_name(name: &str) -> Option<BugKind> {
                BugKind::ALL.iter().copied().find(|kind| kind.name() == name)
            }
        }
    };
}

bug_kinds! {
    /// A failed `assert` or `klee_assert`.
    Assertion = "assertion";
    /// A call of `abort`.
    Abort = "abort";
    /// A call of `reach_error`, `__VERIFIER_error` or `klee_report_error`.
    ReachError = "reach-error";
    /// A read outside of an object.
    OutOfBoundsRead = "out-of-bounds-read";
    /// A write outside of an object.
    OutOfBoundsWrite = "out-of-bounds-write";
    /// A write to a constant object.
    ReadOnlyWrite = "read-only-write";
    /// An access through a null pointer.
    NullPointer = "null-pointer";
    /// An access to a heap object after `free`.
    UseAfterFree = "use-after-free";
    /// `free` of a heap object that was freed before.
    DoubleFree = "double-free";
    /// `free` of a pointer that is not the start of a heap object.
    InvalidFree = "invalid-free";
    /// An access to a local variable after the end of its scope or function.
    DeadStack = "dead-stack";
    /// A call through a pointer that is not a function, or with arguments that do not match its type.
    BadCall = "bad-call";
    /// An integer division or remainder by zero.
    DivisionByZero = "division-by-zero";
    /// `INT_MIN / -1` or its remainder.
    DivisionOverflow = "division-overflow";
    /// What UBSan reports as signed integer overflow.
    SignedOverflow = "signed-overflow";
    /// What UBSan reports as a shift out of range.
    ShiftOutOfRange = "shift-out-of-range";
    /// Any other report of UBSan.
    UndefinedBehaviour = "undefined-behaviour";
    /// `__builtin_unreachable`, a missing return, or a false `llvm.assume`.
    Unreachable = "unreachable";
    /// A path depends on uninitialised memory.
    Uninitialised = "uninitialised";
    /// A heap object that is still allocated at exit and that nothing points to.
    Leak = "leak";
    /// The call stack is deeper than any real one can be.
    StackOverflow = "stack-overflow";
}
