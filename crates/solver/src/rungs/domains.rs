//! Rung `domains`: programs that read text compare single bytes with constants. The values of a byte that satisfy a
//! condition are a set of 256 bits; sets are intersected in nanoseconds, which decides the question exactly. If two or
//! three bytes with few values each remain, all combinations are tried, even where functions of the C library are
//! involved, which are opaque to SMT solvers.

use secateur_expr::{ByteSet, Expr, Pool, Valuation};

use crate::Tuning;
use crate::query::Query;
use crate::rungs::Finding;
use crate::rungs::budget::Budget;

/// Decides the query if its conditions leave few enough combinations of byte values.
pub(crate) fn decide(
    pool: &mut Pool,
    query: &Query,
    valuation: &mut Valuation,
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    let mut domains: Vec<Domain> = query.bytes.iter().map(|&byte| Domain { byte, values: ByteSet::ALL }).collect();
    let mut open = Vec::new();
    for &condition in &query.conditions {
        let Some((byte, table)) = pool.on_one_byte(condition) else {
            open.push(condition);
            continue;
        };
        let domain = &mut domains[query.bytes.binary_search(&byte).ok()?];
        domain.values &= table;
        if domain.values.is_empty() {
            return Some(Finding::Unsat(contradiction(pool, query, byte)));
        }
    }
    if open.is_empty() {
        let model = domains.iter().map(|domain| (domain.byte, domain.nearest(valuation.byte(domain.byte))));
        return Some(Finding::Sat(model.collect()));
    }
    enumerate(pool, query, &open, &domains, valuation, tuning, budget)
}

/// Tries all combinations if they are few.
fn enumerate(
    pool: &Pool,
    query: &Query,
    open: &[Expr],
    domains: &[Domain],
    valuation: &mut Valuation,
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    if open.iter().any(|&condition| pool.has_hole(condition)) {
        return None;
    }
    let combinations =
        domains.iter().try_fold(1u64, |product, domain| product.checked_mul(domain.values.len().into()))?;
    if combinations.checked_mul(open.len() as u64)? > tuning.domains_evaluations {
        return None;
    }
    let values: Vec<Vec<u8>> = domains.iter().map(|domain| domain.values.iter().collect()).collect();
    let mut chosen = vec![0usize; domains.len()];
    loop {
        if budget.is_used_up(valuation) {
            return None;
        }
        for ((domain, values), &at) in domains.iter().zip(&values).zip(&chosen) {
            valuation.set_byte(domain.byte, values[at]);
        }
        if open.iter().all(|&condition| valuation.holds(pool, condition)) {
            let model =
                domains.iter().zip(&values).zip(&chosen).map(|((domain, values), &at)| (domain.byte, values[at]));
            return Some(Finding::Sat(model.collect()));
        }
        // Advances to the next combination, like an odometer.
        let Some(next) = (0..chosen.len()).find(|&i| chosen[i] + 1 < values[i].len()) else {
            return Some(Finding::Unsat(query.conditions.clone()));
        };
        chosen[next] += 1;
        chosen[..next].fill(0);
    }
}

/// A minimal set of conditions on one byte that leave it no value.
fn contradiction(pool: &mut Pool, query: &Query, byte: u32) -> Vec<Expr> {
    let tables: Vec<(Expr, ByteSet)> = query
        .conditions
        .iter()
        .filter_map(|&condition| match pool.on_one_byte(condition) {
            Some((on, table)) if on == byte => Some((condition, table)),
            _ => None,
        })
        .collect();
    crate::core::shrink(tables, |kept| kept.iter().fold(ByteSet::ALL, |left, (_, values)| left & *values).is_empty())
        .into_iter()
        .map(|(condition, _)| condition)
        .collect()
}

/// The values that one input byte may still take.
struct Domain {
    byte: u32,
    values: ByteSet,
}

impl Domain {
    /// The allowed value that is nearest to `from`. There must be one.
    fn nearest(&self, from: u8) -> u8 {
        self.values.nearest(from).unwrap_or(from)
    }
}
