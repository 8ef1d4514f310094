//! A bug as it is reported, and what is known about each kind of bug.

use serde::{Deserialize, Serialize};

/// One bug that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BugReport {
    /// The name of the check that failed, e.g. "use-after-free".
    pub kind: String,
    /// One sentence for the user.
    pub message: String,
    /// The source file of the innermost frame in the user's code; empty if unknown.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// The call stack, innermost first.
    pub stack: Vec<BacktraceEntry>,
    /// The pointers that only have to be other than null for it not to happen, if a function is tested by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// The test that shows it, relative to the output folder; filled in when it is written.
    pub test: String,
    /// Whether the native program confirms it; filled in after that was tried.
    #[serde(flatten)]
    pub native: Native,
}

/// A remark for users on the pointers that must not be null; empty if there are none.
pub fn precondition(needs: &[String]) -> String {
    if needs.is_empty() {
        return String::new();
    }
    let names: Vec<String> = needs.iter().map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("needs a precondition: {} {verb} not null", names.join(" and "))
}

/// Whether the native program confirms a bug. `Display` is the remark that users see.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Native {
    /// Whether the test shows the bug natively; `None` if it was not run.
    #[serde(default)]
    pub confirmed: Option<bool>,
    /// The evidence, or what happened instead.
    #[serde(default, rename = "native", skip_serializing_if = "String::is_empty")]
    pub what: String,
}

impl std::fmt::Display for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.confirmed {
            Some(true) => write!(f, "confirmed"),
            Some(false) => write!(f, "not confirmed natively: {}", self.what),
            None => write!(f, "not checked natively"),
        }
    }
}

/// One call on a stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BacktraceEntry {
    /// The function.
    pub function: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
}

/// What is known about a kind of bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindInfo {
    /// The name in reports and on the command line.
    pub name: &'static str,
    /// One sentence for the user.
    pub description: &'static str,
    /// The number in the Common Weakness Enumeration that fits best.
    pub cwe: Option<u32>,
}

/// All kinds of bugs, in the order of the engine.
pub const KINDS: &[KindInfo] = &[
    kind("assertion", "An assertion fails.", 617),
    kind("abort", "The program calls abort.", 617),
    kind("reach-error", "A place that is marked as an error is reached.", 617),
    kind("out-of-bounds-read", "Memory outside of an object is read.", 125),
    kind("out-of-bounds-write", "Memory outside of an object is written.", 787),
    kind("read-only-write", "A constant object is written.", 123),
    kind("null-pointer", "Memory is accessed through a null pointer.", 476),
    kind("use-after-free", "A heap object is accessed after it was freed.", 416),
    kind("double-free", "A heap object is freed twice.", 415),
    kind("invalid-free", "Something that is not the start of a heap object is freed.", 763),
    kind("dead-stack", "A local variable is accessed after its scope or function has ended.", 562),
    kind("bad-call", "A function is called through a pointer that does not point to a function of that type.", 843),
    kind("division-by-zero", "An integer is divided by zero.", 369),
    kind("division-overflow", "The smallest integer is divided by -1.", 190),
    kind("signed-overflow", "The result of signed integer arithmetic does not fit its type.", 190),
    kind(
        "shift-out-of-range",
        "A shift is by a negative amount, by too much, or of a value that it does not fit.",
        1335,
    ),
    kind("undefined-behaviour", "The behaviour is undefined by the C standard.", 758),
    kind("unreachable", "Code is reached that the compiler was told cannot be.", 758),
    kind("uninitialised", "A decision depends on memory that was never written.", 457),
    kind("leak", "A heap object is still allocated, but no longer reachable, when the program ends.", 401),
    kind("stack-overflow", "The call stack grows without bound.", 674),
];

/// What is known about the kind of this name.
pub fn kind_info(name: &str) -> Option<&'static KindInfo> {
    KINDS.iter().find(|info| info.name == name)
}

const fn kind(name: &'static str, description: &'static str, cwe: u32) -> KindInfo {
    KindInfo { name, description, cwe: Some(cwe) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_descriptions_are_sentences() {
        for (index, info) in KINDS.iter().enumerate() {
            assert!(KINDS[..index].iter().all(|other| other.name != info.name), "{} is listed twice", info.name);
            assert!(info.description.ends_with('.'), "{}", info.name);
            assert_eq!(kind_info(info.name), Some(info));
        }
        assert_eq!(kind_info("nothing"), None);
    }
}
