//! A campaign in rounds that learn which flips to keep.
//!
//! What is learned is written after every round, so that a campaign that is killed loses no more than one round.

use secateur_explore::{
    Limits, MakeRound, Plan, RoundEnd, RoundLimits, Rounds, RunInRounds, RunResult, explore_in_rounds,
};
use secateur_machine::Machine;
use secateur_solver::Solver;
use secateur_suite::out_dir::LEARNED;
use secateur_suite::summary::LearningSummary;
use secateur_suite::{OutDir, OutError};

use crate::recorder::Recorder;

/// What plans the rounds of a campaign.
pub struct Learning<'a> {
    /// Plans them, and learns.
    pub rounds: Box<dyn Rounds>,
    /// Makes the settings of a round.
    pub make: MakeRound<'a>,
    /// What was learned, as the content of `learned.json`.
    pub learned: Box<dyn Fn() -> String>,
    /// What was learned, for the summary.
    pub summary: Box<dyn Fn() -> LearningSummary>,
}

/// Explores in rounds.
pub(crate) fn explore(
    machine: &mut Machine,
    solver: &mut Solver,
    learning: &mut Learning<'_>,
    limits: RoundLimits,
    out: &OutDir,
    recorder: &mut Recorder<'_>,
) -> Result<RunResult, OutError> {
    let Learning { rounds, make, learned, .. } = learning;
    let mut rounds = WrittenRounds { rounds: rounds.as_mut(), learned, out, written: Ok(()) };
    let run = RunInRounds { rounds: &mut rounds, make: make.as_mut(), limits };
    let result = explore_in_rounds(machine, solver, run, recorder)?;
    rounds.written?;
    Ok(result)
}

/// Rounds after each of which what was learned is written.
struct WrittenRounds<'a> {
    rounds: &'a mut dyn Rounds,
    learned: &'a dyn Fn() -> String,
    out: &'a OutDir,
    written: Result<(), OutError>,
}

impl Rounds for WrittenRounds<'_> {
    fn next(&mut self, machine: &mut Machine, left: &Limits) -> Plan {
        self.rounds.next(machine, left)
    }

    fn ended(&mut self, machine: &mut Machine, round: &RoundEnd) {
        self.rounds.ended(machine, round);
        if self.written.is_ok() {
            self.written = self.out.write(LEARNED, (self.learned)().as_bytes());
        }
    }
}
