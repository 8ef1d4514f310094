//! Rung `smt`: the SMT library answers almost any question, at about a thousand times the cost of the other rungs.
//!
//! Functions like `sin` are uninterpreted for the library, and C's `fmod` is approximated, so it may choose results
//! that are wrong. When a model does not hold for this reason, the results that it got wrong are added as facts ("for
//! this argument, the function returns that") and it is asked again: counterexample-guided refinement. Facts are true,
//! so `Unsat` stays certain.
//!
//! A path has many more conditions than an answer depends on. So the library is first given those on the bytes of the
//! goal; as long as its model violates others, these are added.

use std::time::Instant;

use rustc_hash::FxHashSet;
use secateur_expr::{Expr, FloatOp, Node, Pool, Valuation};

use crate::Tuning;
use crate::answer::{BackendReason, UnknownReason};
use crate::backend::{Backend, BackendAnswer};
use crate::deadline::Deadline;
use crate::dump::Dump;
use crate::query::Query;
use crate::rungs::Finding;
use crate::statistics::Statistics;

/// What a call of the library needs.
pub(crate) struct Smt<'a> {
    pub(crate) backend: &'a mut dyn Backend,
    pub(crate) dump: Option<&'a mut Dump>,
    pub(crate) statistics: &'a mut Statistics,
    pub(crate) deadline: &'a Deadline,
    pub(crate) tuning: &'a Tuning,
}

impl Smt<'_> {
    /// Asks the library until its model holds. `valuation` holds the current input.
    pub(crate) fn decide(
        mut self,
        pool: &mut Pool,
        query: &Query,
        valuation: &mut Valuation,
    ) -> Result<Finding, UnknownReason> {
        let (mut conditions, mut left) = self.relevant(pool, query);
        let current = valuation.input().to_vec();
        let mut rounds = self.tuning.smt_rounds;
        let mut refinements = self.tuning.smt_refinements;
        loop {
            if self.deadline.is_over() {
                return Err(UnknownReason::Backend(self.deadline.reason()));
            }
            match self.ask(pool, &conditions)? {
                BackendAnswer::Unknown(reason) => return Err(UnknownReason::Backend(reason)),
                BackendAnswer::Unsat { mut core } => {
                    core.retain(|condition| query.conditions.binary_search(condition).is_ok());
                    return Ok(Finding::Unsat(core));
                }
                BackendAnswer::Sat(model) => {
                    valuation.set_input(current.clone());
                    model.iter().for_each(|&(byte, value)| valuation.set_byte(byte, value));
                    if query.holds(pool, valuation) {
                        return Ok(Finding::Sat(model));
                    }
                    let is_last = rounds == 0;
                    let violated = left.extract_if(.., |condition| is_last || !valuation.holds(pool, *condition));
                    let before = conditions.len();
                    conditions.extend(violated);
                    if conditions.len() > before {
                        rounds -= usize::from(!is_last);
                        continue;
                    }
                    if refinements == 0 {
                        break;
                    }
                    refinements -= 1;
                    for fact in facts(pool, query, valuation) {
                        if !conditions.contains(&fact) {
                            conditions.push(fact);
                        }
                    }
                    if conditions.len() == before {
                        break;
                    }
                }
            }
        }
        Err(match opaque_name(pool, &query.conditions) {
            Some(name) => UnknownReason::Native(name),
            None if query.has_hole(pool) => UnknownReason::Hole,
            None => UnknownReason::WrongModel,
        })
    }

    /// The conditions that are asked first, and the others. Most contradictions are among conditions on the same bytes
    /// as the goal, and a model of those often satisfies the others as well, which the current input does.
    fn relevant(&self, pool: &Pool, query: &Query) -> (Vec<Expr>, Vec<Expr>) {
        let all = &query.conditions;
        if query.native || all.len() <= self.tuning.smt_few || query.has_hole(pool) {
            return (all.clone(), Vec::new());
        }
        let goal = pool.support_bytes(pool.support(query.goal));
        let is_relevant = |condition: &Expr| {
            let bytes = pool.support_bytes(pool.support(*condition));
            bytes.iter().all(|byte| goal.binary_search(byte).is_ok())
        };
        all.iter().partition(|condition| is_relevant(condition))
    }

    fn ask(&mut self, pool: &Pool, conditions: &[Expr]) -> Result<BackendAnswer, UnknownReason> {
        let start = Instant::now();
        let answer = self.backend.check(pool, conditions, self.deadline);
        self.statistics.backend_time += start.elapsed();
        self.statistics.backend_calls += 1;
        if let Some(dump) = &mut self.dump {
            dump.write(pool, conditions, &answer);
        }
        answer.map_err(|error| UnknownReason::Backend(BackendReason::Message(error.to_string())))
    }
}

/// Facts about the opaque subexpressions of the query: the values they have for their operands under the model.
fn facts(pool: &mut Pool, query: &Query, valuation: &mut Valuation) -> Vec<Expr> {
    let mut facts = Vec::new();
    for e in opaque_parts(pool, &query.conditions) {
        let mut fact = {
            let value = value_of(pool, valuation, e);
            pool.eq(e, value)
        };
        let mut operands = Vec::new();
        pool.for_each_operand(e, &mut |operand| operands.push(operand));
        for operand in operands {
            let value = value_of(pool, valuation, operand);
            let other = pool.ne(operand, value);
            fact = pool.or(other, fact);
        }
        if !pool.is_true(fact) {
            facts.push(fact);
        }
    }
    facts
}

fn value_of(pool: &mut Pool, valuation: &mut Valuation, e: Expr) -> Expr {
    let value = valuation.eval_wide(pool, e);
    pool.constant(pool.width(e), value)
}

/// The subexpressions that are uninterpreted or approximated for the library.
fn opaque_parts(pool: &Pool, conditions: &[Expr]) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut seen: FxHashSet<Expr> = conditions.iter().copied().collect();
    let mut stack = conditions.to_vec();
    while let Some(e) = stack.pop() {
        if matches!(pool.node(e), Node::Native { .. } | Node::Float(FloatOp::Rem, ..)) {
            parts.push(e);
        }
        pool.for_each_operand(e, &mut |operand| {
            if seen.insert(operand) {
                stack.push(operand);
            }
        });
    }
    parts.sort_unstable();
    parts
}

/// The C name of an opaque function in the conditions.
pub(crate) fn opaque_name(pool: &Pool, conditions: &[Expr]) -> Option<&'static str> {
    opaque_parts(pool, conditions).into_iter().find_map(|e| match pool.node(e) {
        Node::Native { function, .. } => Some(function.name(pool.width(e))),
        Node::Float(FloatOp::Rem, ..) => Some(if pool.width(e) == 32 { "fmodf" } else { "fmod" }),
        _ => None,
    })
}
