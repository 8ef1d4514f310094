//! Running something that is not a path of the run.

use crate::coverage::CoverageMap;
use crate::machine::Machine;

/// What [`Machine::aside`] has done.
pub struct Aside<R> {
    /// What was returned.
    pub result: R,
    /// What was covered.
    pub coverage: CoverageMap,
    /// How many instructions were executed.
    pub instructions: u64,
}

impl Machine {
    /// Lets the machine run something that counts neither as covered nor as executed. Afterwards it follows the same
    /// input as before.
    pub fn aside<R>(&mut self, run: impl FnOnce(&mut Machine) -> R) -> Aside<R> {
        let nothing = CoverageMap::new(&self.program);
        let coverage = std::mem::replace(&mut self.coverage, nothing);
        let instructions = std::mem::take(&mut self.instructions);
        let input = self.guide.input().to_vec();
        let result = run(self);
        self.follow(input);
        Aside {
            result,
            coverage: std::mem::replace(&mut self.coverage, coverage),
            instructions: std::mem::replace(&mut self.instructions, instructions),
        }
    }
}
