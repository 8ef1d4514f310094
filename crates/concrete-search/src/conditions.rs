//! Conditions over the input as what is searched for.

use secateur_expr::{Expr, Pool, Tape};

use crate::fit::Fit;
use crate::moves::Variable;
use crate::objective::Objective;

/// Conditions over the input, all of which are to hold.
pub struct Conditions {
    tape: Tape,
    fits: Vec<Fit>,
    variables: Vec<Variable>,
}

impl Conditions {
    /// These conditions, and the numbers of the input that may be changed for them.
    pub fn new(pool: &Pool, conditions: &[Expr], variables: Vec<Variable>) -> Conditions {
        let tape = Tape::new(pool, conditions);
        let fits = conditions.iter().map(|condition| Fit::new(pool, &tape, *condition)).collect();
        Conditions { tape, fits, variables }
    }

    /// How many operations one evaluation takes.
    pub fn cost(&self) -> u64 {
        self.tape.len() as u64
    }
}

impl Objective for Conditions {
    fn distance(&mut self, input: &[u8]) -> f64 {
        self.tape.run(input);
        self.fits.iter().map(|fit| fit.distance(&self.tape)).sum()
    }

    fn is_allowed(&mut self, _: &[u8]) -> bool {
        true
    }

    fn variables(&self) -> Vec<Variable> {
        self.variables.clone()
    }

    fn goes_on(&mut self) -> bool {
        true
    }
}
