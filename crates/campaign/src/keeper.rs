//! Takes from a path that ends what becomes a test, a bug report or shown output.

use std::sync::Arc;

use secateur_c_tests::{Body, Function};
use secateur_explore::{Keeper, PathEnd};
use secateur_machine::{Bug, End, Machine};
use secateur_suite::{BugReport, Prediction, TestCase};

use crate::bugs::{SeenBugs, bug_report};
use crate::keep::Keep;
use crate::precondition::pointers_needed;
use crate::{c_tests, extract, predict};

/// What is kept of a path: its test, and what goes with it.
pub(crate) struct KeptPath {
    pub test: TestCase,
    pub prediction: Prediction,
    /// It becomes a test, regardless of the other paths.
    pub wanted: bool,
    pub bug: Option<BugReport>,
    /// As a test in C, or why there is none, if a single function is tested.
    pub c_test: Option<Result<Body, String>>,
    /// What the path wrote to standard output and standard error, if that is to be shown.
    pub output: Option<(Vec<u8>, Vec<u8>)>,
}

/// Decides for one worker which paths are worth keeping. The recorder, which knows the paths of all workers, decides
/// which of them are written.
pub(crate) struct TestKeeper {
    keep: Keep,
    show_output: bool,
    /// The function that is tested by itself.
    function: Option<Arc<Function>>,
    bugs: SeenBugs,
}

impl TestKeeper {
    pub(crate) fn new(keep: Keep, show_output: bool, function: Option<Arc<Function>>) -> TestKeeper {
        TestKeeper { keep, show_output, function, bugs: SeenBugs::default() }
    }
}

impl TestKeeper {
    /// The report of a bug, unless this worker has seen it before.
    fn new_bug(&mut self, machine: &mut Machine, path: &PathEnd<'_>, bug: &Bug) -> Option<BugReport> {
        if self.bugs.is_known(&machine.program, bug) {
            return None;
        }
        let function = self.function.as_ref();
        let needs = function.map(|function| pointers_needed(machine, path.state, bug, function.unit()));
        let needs = needs.unwrap_or_default();
        let is_new = self.bugs.is_new(&machine.program, bug, !needs.is_empty());
        is_new.then(|| BugReport { needs, ..bug_report(&machine.program, bug) })
    }
}

impl Keeper for TestKeeper {
    type Record = Box<KeptPath>;

    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Box<KeptPath>> {
        let wanted = self.keep.wants(path.covers_new);
        let bug = match path.end {
            End::Bug(bug) => self.new_bug(machine, path, bug),
            _ => None,
        };
        let may_be_first_return = self.function.is_some() && matches!(path.end, End::Exit(_));
        if !wanted && bug.is_none() && !may_be_first_return && !self.show_output {
            return None;
        }
        let test = extract::test_case(machine, path.state);
        let prediction = predict::prediction(&machine.program, path.state, path.end);
        let function = self.function.as_ref();
        let c_test = function.map(|function| c_tests::write_test(function, &test, &prediction, machine, path.state));
        let output = self.show_output.then(|| {
            let mut written =
                |descriptor| path.state.output.bytes(descriptor, &machine.pool, &mut machine.guide.values);
            (written(1), written(2))
        });
        Some(Box::new(KeptPath { test, prediction, wanted, bug, c_test, output }))
    }
}
