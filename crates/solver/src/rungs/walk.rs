//! Rung `walk`: where functions like `sin` keep the SMT library from an answer, its last model satisfies all that it
//! understands. From there, a search evaluates thousands of inputs, each a small change of one that comes close, and
//! measures how far each condition is from holding. (The Concolic Walk of Dinges and Agha.)

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_concrete_search::{self as concrete, Conditions, Variable, search};
use secateur_expr::{Expr, FloatCast, Node, Pool};

use crate::Options;
use crate::answer::{BackendReason, UnknownReason};
use crate::query::Query;
use crate::rungs::Finding;

/// Searches from an input that is close. Counts what it evaluates. With a limited effort, it may end before it has
/// evaluated as many inputs as it usually would; then the question was not worth more effort.
pub(crate) fn decide(
    pool: &Pool,
    query: &Query,
    close: Vec<u8>,
    effort: Option<u64>,
    solver: &Options,
    evaluated: &mut u64,
) -> Result<Option<Finding>, UnknownReason> {
    if query.has_hole(pool) {
        return Ok(None);
    }
    let mut conditions = Conditions::new(pool, &query.conditions, variables(pool, query));
    let tuning = &solver.tuning;
    let cost = conditions.cost().max(1);
    let most = tuning.walk_evaluations.min(tuning.rung_steps / cost);
    let affordable = effort.map_or(most, |effort| effort.saturating_mul(tuning.effort_steps) / cost);
    let evaluations = affordable.min(most);
    let outcome =
        search(&mut conditions, close, &concrete::Options { evaluations, seed: 0, tuning: solver.concrete.clone() });
    *evaluated += outcome.evaluations * cost;
    match outcome.found {
        Some(found) => {
            let byte = |at: u32| found.get(at as usize).copied().unwrap_or(0);
            Ok(Some(Finding::Candidate(query.bytes.iter().map(|&at| (at, byte(at))).collect())))
        }
        None if affordable < most => Err(UnknownReason::Backend(BackendReason::Effort)),
        None => Ok(None),
    }
}

/// The numbers of the input as the conditions read them: bytes that belong to several words belong to the longest.
fn variables(pool: &Pool, query: &Query) -> Vec<Variable> {
    let mut words: FxHashMap<(u32, u8), bool> = FxHashMap::default();
    let mut seen: FxHashSet<Expr> = query.conditions.iter().copied().collect();
    let mut work = query.conditions.clone();
    while let Some(e) = work.pop() {
        let takes_floats = takes_floats(pool, e);
        pool.for_each_operand(e, &mut |operand| {
            if let Node::Input { first, bytes: bytes @ ..=8 } = pool.node(operand) {
                *words.entry((first, bytes)).or_default() |= takes_floats && matches!(bytes, 4 | 8);
            }
            if seen.insert(operand) {
                work.push(operand);
            }
        });
    }
    let mut words: Vec<Variable> =
        words.into_iter().map(|((first, bytes), is_float)| Variable { first, bytes, is_float }).collect();
    words.extend(query.bytes.iter().map(|&first| Variable { first, bytes: 1, is_float: false }));
    words.sort_unstable_by_key(|word| (std::cmp::Reverse(word.bytes), word.first, word.is_float));
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    words.retain(|word| {
        let bytes = word.first..word.first + u32::from(word.bytes);
        let is_free = bytes.clone().all(|byte| !taken.contains(&byte));
        if is_free {
            taken.extend(bytes);
        }
        is_free
    });
    words
}

/// The operands of an expression are floating-point numbers.
fn takes_floats(pool: &Pool, e: Expr) -> bool {
    match pool.node(e) {
        Node::Float(..) | Node::FloatUn(..) | Node::FloatCmp(..) | Node::FusedMulAdd(..) | Node::Native { .. } => true,
        Node::FloatCast(cast, ..) => !matches!(cast, FloatCast::FromSigned | FloatCast::FromUnsigned),
        _ => false,
    }
}
