//! Which of our checks a rule of a static analyser is about.

use secateur_machine::BugKind;

/// A rule is about what happens when there is no memory left. That is not looked for: as far as it is asked for at all
/// (`--fail-calls`), only some paths have such calls, so nothing would be shown if none failed.
pub fn is_about_memory(rule: &str) -> bool {
    rule.to_lowercase().contains("outofmemory")
}

/// The checks one of which fails if a finding of this rule is real; none if it is about something else, such as style.
/// Rules are known by parts of their names, which analysers agree on: those of clang, cppcheck and gcc.
pub fn kinds_of_rule(rule: &str, message: &str) -> Vec<BugKind> {
    use BugKind::*;
    let rule: String = rule.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let message = message.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| rule.contains(part));
    // A leak is noticed where the program ends, not where the analyser sees it.
    if has(&["leak"]) || message.contains("leak") || is_about_memory(&rule) {
        return Vec::new();
    }
    let mut kinds = Vec::new();
    let mut add = |applies: bool, more: &[BugKind]| kinds.extend(more.iter().filter(|_| applies));
    add(has(&["nullpointer", "nullderef", "nullarg", "nullbase"]), &[NullPointer]);
    add(has(&["dividezero", "zerodiv", "divisionbyzero", "divbyzero"]), &[DivisionByZero]);
    add(
        has(&["outofbounds", "arraybound", "negativeindex", "bufferaccess", "bufferover", "bufferunder", "overread"]),
        &[OutOfBoundsRead, OutOfBoundsWrite, DeadStack, UseAfterFree],
    );
    add(has(&["uninit", "undefinedbinaryoperator", "undefreturn"]), &[Uninitialised]);
    add(has(&["integeroverflow", "signedoverflow"]), &[SignedOverflow, DivisionOverflow]);
    add(has(&["shift"]), &[ShiftOutOfRange]);
    add(has(&["doublefree", "unixmalloc"]), &[DoubleFree]);
    add(has(&["useafterfree", "deallocuse", "unixmalloc"]), &[UseAfterFree, DoubleFree]);
    add(has(&["freeofnonheap", "invaliddeallocation", "unixmalloc"]), &[InvalidFree]);
    add(has(&["lifetime", "stackaddress", "danglingpointer"]), &[DeadStack]);
    kinds.sort();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_several_analysers_are_known() {
        for (rule, expected) in [
            ("core.NullDereference", &[BugKind::NullPointer][..]),
            ("nullPointerRedundantCheck", &[BugKind::NullPointer]),
            ("-Wanalyzer-null-dereference", &[BugKind::NullPointer]),
            ("core.DivideZero", &[BugKind::DivisionByZero]),
            ("zerodivcond", &[BugKind::DivisionByZero]),
            ("core.uninitialized.Assign", &[BugKind::Uninitialised]),
            ("unix.Malloc", &[BugKind::UseAfterFree, BugKind::DoubleFree, BugKind::InvalidFree]),
            ("deadcode.DeadStores", &[]),
            ("variableScope", &[]),
            ("nullPointerOutOfMemory", &[]),
        ] {
            assert_eq!(kinds_of_rule(rule, ""), expected, "{rule}");
        }
        assert_eq!(kinds_of_rule("unix.Malloc", "Potential leak of memory"), []);
    }
}
