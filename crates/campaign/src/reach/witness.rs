//! Inputs that reach a target, as tests that the native program confirms.

use std::sync::Arc;

use secateur_machine::{End, Event, Limit, Machine, Options as MachineOptions, State};
use secateur_program::Program;
use secateur_suite::replay::{self, ReplayOptions};
use secateur_suite::{OutDir, OutError};

use super::target::ReachTarget;
use crate::tuning::Tuning;
use crate::{extract, predict};

/// How many instructions run at once; the limit is checked in between.
const SLICE: u64 = 1_000_000;

/// Makes tests of inputs.
pub(super) struct Witnesses<'a> {
    program: &'a Arc<Program>,
    options: MachineOptions,
    out: &'a OutDir,
    replay: Option<ReplayOptions>,
    unconfined: Vec<&'static str>,
}

/// Follows an input to the end of its path, or for so many instructions.
pub(crate) fn run_to_end(machine: &mut Machine, input: Vec<u8>, most: u64) -> (State, End) {
    let most = machine.options().max_instructions.min(most);
    let mut state = machine.start(input);
    loop {
        match machine.run(&mut state, SLICE) {
            Event::Decision(decision) => machine.take(&mut state, &decision.chosen),
            Event::End(end) => return (state, end),
            Event::Pause if state.instructions >= most => return (state, End::Limit(Limit::Instructions)),
            Event::Pause => {}
        }
    }
}

/// What became of an input.
pub(super) struct Witness {
    /// The file of its test.
    pub test: String,
    /// Whether the native program reaches the target with it; `None` if it was not run.
    pub confirmed: Option<bool>,
    /// What the native program did instead, or why it was not run.
    pub what: String,
}

impl<'a> Witnesses<'a> {
    pub(super) fn new(
        program: &'a Arc<Program>,
        options: &MachineOptions,
        out: &'a OutDir,
        replay: Option<ReplayOptions>,
        tuning: &Tuning,
    ) -> Witnesses<'a> {
        let max_instructions = options.max_instructions.min(tuning.reach_instructions);
        let options = MachineOptions { max_instructions, ..options.clone() };
        Witnesses { program, options, out, replay, unconfined: Vec::new() }
    }

    /// Writes the test of an input, and runs it natively.
    pub(super) fn check(&mut self, target: &ReachTarget, input: Vec<u8>) -> Result<Witness, OutError> {
        let mut machine = Machine::new(Arc::clone(self.program), self.options.clone());
        let (state, end) = run_to_end(&mut machine, input, self.options.max_instructions);
        let test = extract::test_case(&machine, &state);
        let prediction = predict::prediction(self.program, &state, &end);
        let number = self.out.reserve_test();
        let file = self.out.write_reserved(number, &test, &prediction)?;
        let Some(options) = &self.replay else {
            return Ok(Witness { test: file, confirmed: None, what: "not run natively".to_string() });
        };
        let options = ReplayOptions { only: vec![format!("{number:06}")], ..options.clone() };
        let witness = match replay::replay(self.out.path(), &options) {
            Err(error) => Witness { test: file, confirmed: None, what: error.to_string() },
            Ok(report) => {
                self.unconfined.clone_from(&report.unconfined);
                let result = report.results.first();
                let confirmed = result.map(|result| target.is_confirmed(self.program, &report, result));
                let what = result.map_or_else(|| "it did not run".to_string(), |result| result.verdict.to_string());
                Witness { test: file, confirmed, what }
            }
        };
        Ok(witness)
    }

    /// What the sandbox could not prevent.
    pub(super) fn unconfined(self) -> Vec<&'static str> {
        self.unconfined
    }
}
