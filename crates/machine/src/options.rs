//! What the machine checks, models and limits.

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
    /// Checks that are off.
    pub disabled: Vec<BugKind>,
    /// Know which memory was never written. Without it, nobody notices that a path depends on such memory.
    pub track_uninit: bool,
    /// What memory is that was never written.
    pub uninit: Uninit,
    /// Look for unreachable heap objects at exit.
    pub check_leak: bool,
    /// Instructions that one path may execute.
    pub max_instructions: u64,
    /// Symbolic decisions that one path may take.
    pub max_depth: u32,
    /// Calls that may be active at once before the stack counts as overflown.
    pub max_frames: u32,
    /// The largest single allocation; a path that asks for more ends there.
    pub max_allocation: u64,
    /// How many bytes all local variables of the active calls may take before the stack counts as overflown.
    pub max_stack: u64,
    /// How many bytes of input a path may ask for.
    pub max_input: u32,
    /// The most elements that a symbolic index may range over before it is followed concretely, with the other values pending.
    pub max_elements: u64,
    /// What is done with alternatives that the path itself refutes.
    pub refuted: Refuted,
    /// The symbolic parts of a whole program's environment.
    pub environment: Environment,
    /// Numbers for measurements.
    pub tuning: Tuning,
}

/// What is done with alternatives of a decision that the path itself refutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuted {
    /// They are offered like any others, for a solver to confirm.
    Offered,
    /// They are counted.
    Counted,
    /// They are counted and listed in the decision. Decisions are reported even if nothing else can be taken.
    Reported,
}

/// What memory is that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uninit {
    /// Zero. A path that depends on it does not stand for all that the program can do.
    #[default]
    Zero,
    /// Any value: it becomes input when it is read.
    Any,
}

/// What of the world around the program is symbolic.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Symbolic command-line arguments; several groups follow each other.
    pub arguments: Vec<ArgGroup>,
    /// Concrete command-line arguments that come first (`argv[0]` is the program's name).
    pub fixed_arguments: Vec<String>,
    /// How many bytes the standard input has; `None` if it is empty and concrete.
    pub stdin: Option<u32>,
    /// Files by name and size.
    pub files: Vec<(String, u32)>,
    /// Environment variables by name and length.
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
    /// There are at least so many.
    pub fewest: u32,
    /// There are at most so many; not less than `fewest`.
    pub most: u32,
    /// How many characters each has at most.
    pub len: u32,
}

impl ArgGroup {
    /// How many of them there need not be.
    pub fn optional(&self) -> u32 {
        self.most.saturating_sub(self.fewest)
    }

    /// How many bytes of input they take at most.
    pub fn bytes(&self) -> u64 {
        u64::from(self.most) * u64::from(self.len)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            // Programs that pass such values around without looking at them are common and harmless.
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
        }
    }
}

impl Options {
    /// The check is on.
    pub fn checks(&self, kind: BugKind) -> bool {
        !self.disabled.contains(&kind)
    }
}
