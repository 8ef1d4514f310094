//! A second and a third opinion on every answer of the ladder.
//!
//! Each question goes to both SMT libraries whole: with all conditions of the path, so that slicing is checked as well as the rungs. It
//! is slow, and meant for finding faults in Secateur and in solvers.

use std::time::Duration;

use secateur_expr::{Expr, Pool, Valuation, smtlib};

use crate::answer::Answer;
use crate::backend::{self, Backend, BackendAnswer};
use crate::rungs::smt::opaque_name;
use crate::{BackendKind, Deadline, Options, SolverError};

/// How long a library may take to form an opinion: enough for almost every question. Who has none by then has no objection.
const TIME_FOR_OPINION: Duration = Duration::from_secs(1);

/// An answer that is contradicted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// What the ladder said.
    pub answer: &'static str,
    /// The backend that says otherwise.
    pub backend: &'static str,
    /// What it says.
    pub objection: String,
    /// The question as SMT-LIB.
    pub question: String,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the solver answers {}, but {} {}", self.answer, self.backend, self.objection)
    }
}

/// Both SMT libraries, started apart from the ladder's own.
pub(crate) struct CrossCheck {
    backends: Vec<Box<dyn Backend>>,
    valuation: Valuation,
}

impl CrossCheck {
    pub(crate) fn new(options: &Options) -> Result<CrossCheck, SolverError> {
        let start = |kind| backend::backend(kind, options);
        let backends = BackendKind::ALL.into_iter().map(start).collect::<Result<_, _>>()?;
        Ok(CrossCheck { backends, valuation: Valuation::new(Vec::new()) })
    }

    /// What the libraries object to the answer, if anything. "Unknown" is no objection, on either side.
    pub(crate) fn examine(&mut self, pool: &Pool, path: &[Expr], goal: Expr, answer: &Answer) -> Vec<Disagreement> {
        let mut conditions = path.to_vec();
        conditions.push(goal);
        conditions.sort_unstable();
        conditions.dedup();
        let (name, core) = match answer {
            Answer::Sat(_) => ("sat", None),
            Answer::Unsat(core) => ("unsat", Some(core)),
            Answer::Unknown(_) => return Vec::new(),
        };
        let mut disagreements = Vec::new();
        for backend in &mut self.backends {
            let mut ask = |conditions: &[Expr]| backend.check(pool, conditions, &Deadline::lasting(TIME_FOR_OPINION));
            let objection = match (ask(&conditions), core) {
                (Err(error), _) => Some(format!("fails: {error}")),
                (Ok(BackendAnswer::Unsat { .. }), None) => Some("answers unsat".to_owned()),
                // A contradiction is believed on the strength of its core alone, by the cache for one.
                (Ok(BackendAnswer::Unsat { .. }), Some(core)) => match ask(core) {
                    Ok(BackendAnswer::Sat(model)) => objection_by(&mut self.valuation, pool, core, &model, true)
                        .map(|text| format!("{text} for the core")),
                    _ => None,
                },
                (Ok(BackendAnswer::Sat(model)), core) => {
                    objection_by(&mut self.valuation, pool, &conditions, &model, core.is_some())
                }
                (Ok(BackendAnswer::Unknown(_)), _) => None,
            };
            if let Some(objection) = objection {
                let question = smtlib::script(pool, &conditions);
                disagreements.push(Disagreement { answer: name, backend: backend.name(), objection, question });
            }
        }
        disagreements
    }

    pub(crate) fn forget(&mut self) {
        for backend in &mut self.backends {
            // Translations are dropped first, so that a backend that cannot start anew gives no stale answer.
            let _ = backend.forget();
        }
    }
}

/// What a model says against an answer: it must hold if nothing in the question is opaque, and it must not hold if the answer was
/// `unsat`.
fn objection_by(
    valuation: &mut Valuation,
    pool: &Pool,
    conditions: &[Expr],
    model: &[(u32, u8)],
    unsat: bool,
) -> Option<String> {
    valuation.set_input(Vec::new());
    model.iter().for_each(|&(byte, value)| valuation.set_byte(byte, value));
    if conditions.iter().all(|&condition| valuation.holds(pool, condition)) {
        return unsat.then(|| "has a model that holds".to_owned());
    }
    opaque_name(pool, conditions).is_none().then(|| "has a model that does not hold".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said about an answer to "is the byte above 9 when it is below `bound`?".
    fn objections(bound: u128, answer: impl Fn(Expr, Expr) -> Answer) -> Vec<String> {
        let mut pool = Pool::new();
        let (byte, nine, bound) = (pool.input(0, 1), pool.constant(8, 9), pool.constant(8, bound));
        let (below, above) = (pool.ult(byte, bound), pool.ugt(byte, nine));
        let mut cross_check = CrossCheck::new(&Options::default()).unwrap();
        let found = cross_check.examine(&pool, &[below], above, &answer(below, above));
        found.iter().map(|disagreement| disagreement.to_string()).collect()
    }

    #[test]
    fn right_answers_are_let_pass() {
        assert!(objections(20, |_, _| Answer::Sat(vec![10])).is_empty());
        assert!(objections(10, |below, above| Answer::Unsat(vec![below, above])).is_empty());
    }

    #[test]
    fn wrong_answers_are_caught_by_both() {
        assert_eq!(
            objections(10, |_, _| Answer::Sat(vec![10])),
            ["the solver answers sat, but bitwuzla answers unsat", "the solver answers sat, but z3 answers unsat"]
        );
        assert_eq!(objections(20, |below, above| Answer::Unsat(vec![below, above])).len(), 2);
    }

    #[test]
    fn a_core_that_is_no_contradiction_is_caught() {
        let found = objections(10, |below, _| Answer::Unsat(vec![below]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].ends_with("for the core"), "{found:?}");
    }
}
