//! What the machine checks, models and limits.

use secateur_expr::Tuning as ExprTuning;
use secateur_program::GivenFile;

use crate::end::BugKind;
use crate::tuning::Tuning;

/// Settings of the machine; all have documented defaults.
///
/// ```
/// use secateur_machine::{BugKind, Options};
///
/// let options = Options { check_leak: true, disabled: vec![BugKind::SignedOverflow], ..Options::default() };
/// assert!(options.checks(BugKind::NullPointer) && !options.checks(BugKind::SignedOverflow));
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The disabled checks.
    pub disabled: Vec<BugKind>,
    /// Track which memory was never written. Without it, dependence on such memory is not detected.
    pub track_uninit: bool,
    /// The value of memory that was never written.
    pub uninit: Uninit,
    /// Report unreachable heap objects at exit.
    pub check_leak: bool,
    /// The most instructions that one path may execute.
    pub max_instructions: u64,
    /// The most symbolic decisions on one path.
    pub max_depth: u32,
    /// The most active calls; one more is a stack overflow.
    pub max_frames: u32,
    /// The largest single allocation; a path that asks for more ends there.
    pub max_allocation: u64,
    /// The most bytes for the local variables of all active calls; more is a stack overflow.
    pub max_stack: u64,
    /// The most bytes of input on one path.
    pub max_input: u32,
    /// The most elements that a symbolic index may range over; with more it is concretised, and its other values stay
    /// pending.
    pub max_elements: u64,
    /// What happens to alternatives that the path condition refutes.
    pub refuted: Refuted,
    /// The symbolic parts of the program's environment.
    pub environment: Environment,
    /// Numbers that can be tuned by measuring.
    pub tuning: Tuning,
    /// Those of its expressions.
    pub expressions: ExprTuning,
}

/// What happens to alternatives of a decision that the path condition refutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuted {
    /// They are offered like any other, for a solver to confirm.
    Offered,
    /// They are counted.
    Counted,
    /// They are counted and listed in the decision. Decisions are reported even if no alternative remains.
    Reported,
}

/// The value of memory that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uninit {
    /// Zero. A path that depends on it does not stand for all behaviours of the program.
    #[default]
    Zero,
    /// Any value: it becomes input when it is read.
    Any,
}

/// The symbolic environment of a program.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Groups of symbolic command-line arguments, in order.
    pub arguments: Vec<ArgGroup>,
    /// Concrete command-line arguments that come before the symbolic ones, without `argv[0]`.
    pub fixed_arguments: Vec<String>,
    /// The number of bytes of the standard input; `None` if it is empty and concrete.
    pub stdin: Option<u32>,
    /// Symbolic files by name and size.
    pub files: Vec<(String, u32)>,
    /// Concrete files. Folders come before what they contain.
    pub given: Vec<GivenFile>,
    /// Environment variables by name and length of their values.
    pub variables: Vec<(String, u32)>,
    /// The program's name, `argv[0]`.
    pub program_name: String,
}

/// Symbolic command-line arguments of one length.
///
/// ```
/// use secateur_machine::ArgGroup;
///
/// let group = ArgGroup { fewest: 1, most: 3, len: 8 };
/// assert_eq!((group.optional(), group.bytes()), (2, 24));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgGroup {
    /// The least number of arguments.
    pub fewest: u32,
    /// The greatest number of arguments, at least `fewest`.
    pub most: u32,
    /// The most characters of each.
    pub len: u32,
}

impl ArgGroup {
    /// How many of them are optional.
    pub fn optional(&self) -> u32 {
        self.most.saturating_sub(self.fewest)
    }

    /// The most bytes of input that they take.
    pub fn bytes(&self) -> u64 {
        u64::from(self.most) * u64::from(self.len)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            // Programs that copy such values without depending on them are common and harmless.
            disabled: vec![BugKind::Uninitialised],
            track_uninit: true,
            uninit: Uninit::Zero,
            check_leak: false,
            max_instructions: 1_000_000_000,
            max_depth: 1_000_000,
            max_frames: 200_000,
            max_allocation: 1 << 28,
            max_stack: 8 << 20,
            max_input: 1 << 20,
            max_elements: 4096,
            refuted: Refuted::Counted,
            environment: Environment::default(),
            tuning: Tuning::default(),
            expressions: ExprTuning::default(),
        }
    }
}

impl Options {
    /// Whether a check is enabled.
    pub fn checks(&self, kind: BugKind) -> bool {
        !self.disabled.contains(&kind)
    }
}
