//! Which paths become tests.

use secateur_machine::End;

/// Which paths become tests. The first path to each bug is written in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Those that add coverage.
    NewCoverage,
    /// All.
    All,
    /// None.
    Nothing,
}

impl Keep {
    /// A path becomes a test, regardless of the other paths.
    pub(crate) fn wants(self, covers_new: bool) -> bool {
        match self {
            Keep::NewCoverage => covers_new,
            Keep::All => true,
            Keep::Nothing => false,
        }
    }

    /// A path of a single function becomes a test because in none so far does the function return: the paths to bugs
    /// may have covered everything that such a path covers.
    pub(crate) fn wants_first_return(self, end: &End, tests: u64) -> bool {
        self == Keep::NewCoverage && tests == 0 && matches!(end, End::Exit(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_decides_unless_all_or_none_are_kept() {
        for (keep, without, with) in
            [(Keep::NewCoverage, false, true), (Keep::All, true, true), (Keep::Nothing, false, false)]
        {
            assert_eq!((keep.wants(false), keep.wants(true)), (without, with), "{keep:?}");
        }
    }

    #[test]
    fn only_the_first_return_is_kept_without_new_coverage() {
        assert!(Keep::NewCoverage.wants_first_return(&End::Exit(0), 0));
        assert!(!Keep::NewCoverage.wants_first_return(&End::Exit(0), 1));
        assert!(!Keep::NewCoverage.wants_first_return(&End::Assumed, 0));
        assert!(!Keep::Nothing.wants_first_return(&End::Exit(0), 0));
    }
}
