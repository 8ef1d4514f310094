//! Checks every answer of the ladder against both SMT libraries.
//!
//! They are asked with all conditions of the path, so that slicing is checked as well as the rungs. This is slow, and
//! meant for finding bugs in Secateur and in SMT solvers.

use std::time::Duration;

use secateur_expr::{Expr, Pool, Valuation, smtlib};

use crate::answer::Answer;
use crate::backend::{self, Backend, BackendAnswer};
use crate::rungs::smt::opaque_name;
use crate::{BackendKind, Deadline, Options, SolverError};

/// An answer that an SMT library contradicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The answer of the ladder.
    pub answer: &'static str,
    /// The backend that contradicts it.
    pub backend: &'static str,
    /// What the backend answers, as a predicate.
    pub objection: String,
    /// The question as SMT-LIB.
    pub question: String,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the solver answers {}, but {} {}", self.answer, self.backend, self.objection)
    }
}

/// Both SMT libraries, apart from the one that the ladder uses.
pub(crate) struct CrossCheck {
    backends: Vec<Box<dyn Backend>>,
    valuation: Valuation,
    /// How long a library may take to check an answer.
    time: Duration,
}

impl CrossCheck {
    pub(crate) fn new(options: &Options) -> Result<CrossCheck, SolverError> {
        let start = |kind| backend::backend(kind, options);
        let backends = BackendKind::ALL.into_iter().map(start).collect::<Result<_, _>>()?;
        Ok(CrossCheck { backends, valuation: Valuation::new(Vec::new()), time: options.tuning.cross_check_time })
    }

    /// The libraries that contradict the answer. "Unknown" contradicts nothing, on either side.
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
        let (mut disagreements, time) = (Vec::new(), self.time);
        for backend in &mut self.backends {
            let mut ask = |conditions: &[Expr]| backend.check(pool, conditions, &Deadline::lasting(time));
            let objection = match (ask(&conditions), core) {
                (Err(error), _) => Some(format!("fails: {error}")),
                (Ok(BackendAnswer::Unsat { .. }), None) => Some("answers unsat".to_owned()),
                // The cache relies on the core alone, so the core is checked by itself.
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
            // Translations are dropped first, so even a backend that fails to restart gives no stale answer.
            let _ = backend.forget();
        }
    }
}

/// How a model contradicts the answer: if that was `unsat`, the model must not hold; and unless the question has opaque
/// functions, it must.
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

    /// The disagreements about an answer to "is the byte above 9 when it is below `bound`?".
    fn objections(bound: u128, answer: impl Fn(Expr, Expr) -> Answer) -> Vec<String> {
        let mut pool = Pool::new();
        let (byte, nine, bound) = (pool.input(0, 1), pool.constant(8, 9), pool.constant(8, bound));
        let (below, above) = (pool.ult(byte, bound), pool.ugt(byte, nine));
        let mut cross_check = CrossCheck::new(&Options::default()).unwrap();
        let found = cross_check.examine(&pool, &[below], above, &answer(below, above));
        found.iter().map(|disagreement| disagreement.to_string()).collect()
    }

    #[test]
    fn right_answers_pass() {
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
    fn a_satisfiable_core_is_caught() {
        let found = objections(10, |below, _| Answer::Unsat(vec![below]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].ends_with("for the core"), "{found:?}");
    }
}
