//! Hands the paths of a single function over to the writer of its tests in C.

use std::path::PathBuf;

use secateur_c_tests::{Area, Body, CTests, Content, Function, Memory, Owner, Sources};
use secateur_machine::{Machine, ObjectKind, State};
use secateur_suite::{OutDir, OutError, Prediction, TestCase};

/// The test of a path in C, or why there is none.
pub(crate) fn write_test(
    function: &Function,
    test: &TestCase,
    prediction: &Prediction,
    machine: &mut Machine,
    state: &State,
) -> Result<Body, String> {
    let environment = !test.args.is_empty() || test.stdin.is_some() || !test.files.is_empty() || !test.env.is_empty();
    if environment || test.objects.len() > function.unit().inputs {
        return Err("the function asks for more input than its arguments".into());
    }
    function.write(&prediction.end, &mut FinishedPath { machine, state })
}

/// Writes the file and returns its path.
pub(crate) fn write_file(tests: &CTests, sources: &Sources, out: &OutDir) -> Result<PathBuf, OutError> {
    let name = format!("tests/{}", tests.file_name());
    out.write(&name, tests.text(sources).as_bytes())?;
    Ok(out.path().join(name))
}

/// The memory at the end of a path.
struct FinishedPath<'a> {
    machine: &'a mut Machine,
    state: &'a State,
}

impl Memory for FinishedPath<'_> {
    fn read(&mut self, address: u64, len: u64) -> Option<Content> {
        let peeked = self.machine.peek(self.state, address, len)?;
        let (bytes, written) = peeked.into_iter().map(|byte| (byte.value, byte.written)).unzip();
        Some(Content { bytes, written })
    }

    fn area(&mut self, address: u64) -> Option<Area> {
        let object = self.machine.object_at(self.state, address)?;
        let owner = match object.kind {
            ObjectKind::Stack => return None,
            ObjectKind::Heap if object.library => Owner::Library,
            ObjectKind::Heap => Owner::Program,
            ObjectKind::Global | ObjectKind::Constant => Owner::Global(object.name.to_string()),
        };
        Some(Area { address: object.address, size: object.size, owner })
    }

    fn is_address(&mut self, number: u64) -> bool {
        self.machine.is_address(self.state, number)
    }

    fn address_of(&mut self, global: &str) -> Option<u64> {
        self.machine.address_of(global)
    }
}
