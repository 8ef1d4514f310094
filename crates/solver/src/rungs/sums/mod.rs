//! Rung `sums`: a checksum, a magic square, a number read from digits: questions about sums of what single bytes are worth. SMT solvers
//! turn the additions into circuits and are lost among them. But the variables have at most 256 values each, equations can be added up, and
//! a sum with one unknown left tells it: a search that keeps track of the values that are left is done in microseconds.

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

/// Decides the query if it is about sums, or if the part of it that is contradicts itself. A model is only a candidate, since there may be other
/// conditions as well.
pub(crate) fn decide(pool: &mut Pool, query: &Query, valuation: &Valuation, tuning: &Tuning) -> Option<Finding> {
    if query.native || query.conditions.iter().any(|&condition| pool.has_hole(condition)) {
        return None;
    }
    let mut reader = Reader::new(pool, &query.bytes, tuning);
    let comparisons = reader.take_apart(&query.conditions)?;
    // Without the goal there is nothing to find out.
    let mut parts = reader.on_bytes.iter().map(|(_, reason)| *reason).chain(comparisons.iter().map(|part| part.reason));
    if comparisons.is_empty() || !parts.any(|reason| reason == query.goal) || reader.domains.contains(&ByteSet::EMPTY) {
        return None;
    }
    reader.bound_bytes();
    // If it is not about sums, the question is not for this rung, so it is read first.
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
    // What follows from relations rests on the conditions that they were read from, and on what is known of the bytes in these.
    let core = |pool: &Pool, reasons: &FxHashSet<Expr>| {
        let below = |e: &Expr| pool.support_bytes(pool.support(*e)).iter().copied();
        let bytes: FxHashSet<u32> = reasons.iter().flat_map(below).collect();
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
    match search(&sums, &domains, query.bytes.len(), &current, tuning) {
        SearchEnd::Found(values) => Some(Finding::Candidate(query.bytes.iter().copied().zip(values).collect())),
        SearchEnd::None(used) => {
            let reasons = used.into_iter().flat_map(|sum| &relations[sum].reasons).copied().collect();
            Some(core(pool, &reasons))
        }
        SearchEnd::GivenUp => None,
    }
}
