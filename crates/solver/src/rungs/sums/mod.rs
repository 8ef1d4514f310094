//! Rung `sums`: checksums, magic squares and numbers read from digits are linear in functions of single bytes. SMT
//! solvers bit-blast the additions and then search at length. But each variable has at most 256 values, equations can
//! be eliminated, and a sum with one unknown determines it: constraint propagation with backtracking takes
//! microseconds.

mod atom;
mod elimination;
mod form;
mod reader;
mod relation;
mod search;
mod sum;

use rustc_hash::FxHashSet;
use secateur_expr::{ByteSet, Expr, Pool, Valuation};

use crate::Tuning;
use crate::query::Query;
use crate::rungs::Finding;
use elimination::eliminate;
use reader::Reader;
use search::{SearchEnd, search};
use sum::Sum;

/// Decides the sums in the query. A model is only a candidate, since there may be other conditions. Adds how many terms
/// and values were visited.
pub(crate) fn decide(
    pool: &mut Pool,
    query: &Query,
    valuation: &Valuation,
    tuning: &Tuning,
    visited: &mut u64,
) -> Option<Finding> {
    if query.native || query.has_hole(pool) {
        return None;
    }
    let mut reader = Reader::new(pool, &query.bytes, tuning);
    let comparisons = reader.take_apart(&query.conditions)?;
    // If the goal is not among them, there is nothing to decide.
    let mut parts = reader.on_bytes.iter().map(|(_, reason)| *reason).chain(comparisons.iter().map(|part| part.reason));
    if comparisons.is_empty() || !parts.any(|reason| reason == query.goal) || reader.domains.contains(&ByteSet::EMPTY) {
        return None;
    }
    reader.bound_bytes();
    // The goal is read first: if it is not about sums, the question is not for this rung.
    let (goal, path): (Vec<_>, Vec<_>) = comparisons.iter().partition(|comparison| comparison.reason == query.goal);
    let mut contradiction = None;
    for comparison in goal {
        contradiction = contradiction.or(reader.read(comparison)?.err());
    }
    for comparison in path {
        contradiction = contradiction.or(reader.read(comparison).and_then(Result::err));
    }
    let on_bytes = std::mem::take(&mut reader.on_bytes);
    let (mut relations, atoms, domains) = reader.finish();
    // A core consists of the conditions that relations were read from, and of the conditions on the single bytes in
    // these.
    let core = |pool: &Pool, reasons: &FxHashSet<Expr>| {
        let bytes_of = |e: &Expr| pool.support_bytes(pool.support(*e)).iter().copied();
        let bytes: FxHashSet<u32> = reasons.iter().flat_map(bytes_of).collect();
        let on_these = on_bytes.iter().filter(|(byte, _)| bytes.contains(byte)).map(|(_, condition)| *condition);
        let needed: FxHashSet<Expr> = on_these.chain(reasons.iter().copied()).collect();
        Finding::Unsat(query.conditions.iter().copied().filter(|condition| needed.contains(condition)).collect())
    };
    if let Some(contradiction) = contradiction {
        return Some(core(pool, &FxHashSet::from_iter([contradiction.0])));
    }
    match eliminate(&relations, &atoms, tuning.sums_elimination_work) {
        Ok(derived) => relations.extend(derived),
        Err(reasons) => return Some(core(pool, &reasons.into_iter().collect())),
    }
    let (relations, sums): (Vec<_>, Vec<_>) =
        relations.iter().filter_map(|relation| Some((relation, Sum::new(relation, &atoms)?))).unzip();
    let current: Vec<u8> = query.bytes.iter().map(|&byte| valuation.byte(byte)).collect();
    match search(&sums, &domains, query.bytes.len(), &current, tuning, visited) {
        SearchEnd::Found(values) => Some(Finding::Candidate(query.bytes.iter().copied().zip(values).collect())),
        SearchEnd::Contradiction(used) => {
            let reasons = used.into_iter().flat_map(|sum| &relations[sum].reasons).copied().collect();
            Some(core(pool, &reasons))
        }
        SearchEnd::GivenUp => None,
    }
}
