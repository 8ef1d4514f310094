//! Cores of refutations: the conditions of a path that suffice to refute a condition.
//!
//! Whether a condition is refuted is asked at every decision, but the core is seldom needed. So
//! [`Knowledge`](crate::knowledge::Knowledge) does not record which conditions a fact follows from; they are searched
//! for here.

use secateur_expr::{BinaryOp, ByteSet, Expr, Intervals, Node, Pool};

use crate::condition::PathCondition;
use crate::knowledge::{Fact, for_each_fact};

/// Candidates that together contradict `condition`, if facts on single bytes and words show it. They are few, but not
/// always minimal.
pub(crate) fn refutation(pool: &mut Pool, candidates: &[PathCondition], condition: Expr) -> Option<Vec<PathCondition>> {
    let mut core = refute(pool, candidates, condition, pool.tuning().fact_depth)?;
    core.sort_unstable();
    core.dedup();
    Some(core)
}

/// Follows the same steps as `Knowledge::refutes`.
fn refute(pool: &mut Pool, candidates: &[PathCondition], condition: Expr, depth: u32) -> Option<Vec<PathCondition>> {
    if let Some((byte, table)) = pool.on_one_byte(condition) {
        let narrow = |pool: &mut Pool, left: &mut ByteSet, condition| {
            for_each_fact(pool, condition, &mut |fact| {
                if let Fact::Byte(on, table) = fact
                    && on == byte
                {
                    *left &= table;
                }
            });
        };
        return core_of(pool, candidates, table, ByteSet::is_empty, narrow);
    }
    if let Some(restriction) = pool.restriction(condition) {
        let narrow = |pool: &mut Pool, left: &mut Intervals, condition| {
            for_each_fact(pool, condition, &mut |fact| {
                if let Fact::Word(on) = fact
                    && on.word == restriction.word
                {
                    *left = left.intersection(&on.values);
                }
            });
        };
        return core_of(pool, candidates, restriction.values.clone(), Intervals::is_empty, narrow);
    }
    let opposite = pool.not(condition);
    if let Some(&candidate) = candidates.iter().find(|candidate| implies(pool, candidate.condition, opposite)) {
        return Some(vec![candidate]);
    }
    match pool.node(condition) {
        Node::Binary(BinaryOp::And, a, b) if depth > 0 => {
            refute(pool, candidates, a, depth - 1).or_else(|| refute(pool, candidates, b, depth - 1))
        }
        Node::Binary(BinaryOp::Or, a, b) if depth > 0 => {
            let mut core = refute(pool, candidates, a, depth - 1)?;
            core.extend(refute(pool, candidates, b, depth - 1)?);
            Some(core)
        }
        _ => None,
    }
}

/// Candidates that exclude all of a set of values, if all candidates together do.
///
/// Those that exclude no further value are left out. The others are then applied in the opposite order, which leaves
/// out those that later ones make redundant.
fn core_of<S: Clone + PartialEq>(
    pool: &mut Pool,
    candidates: &[PathCondition],
    values: S,
    is_empty: impl Fn(&S) -> bool,
    narrow: impl Fn(&mut Pool, &mut S, Expr),
) -> Option<Vec<PathCondition>> {
    let mut pick = |candidates: &mut dyn Iterator<Item = PathCondition>| {
        let mut left = values.clone();
        let mut core = Vec::new();
        for candidate in candidates {
            if is_empty(&left) {
                break;
            }
            let before = left.clone();
            narrow(pool, &mut left, candidate.condition);
            if left != before {
                core.push(candidate);
            }
        }
        is_empty(&left).then_some(core)
    };
    let core = pick(&mut candidates.iter().copied())?;
    pick(&mut core.into_iter().rev())
}

/// This condition is among the facts of another.
fn implies(pool: &mut Pool, condition: Expr, wanted: Expr) -> bool {
    let mut found = false;
    for_each_fact(pool, condition, &mut |fact| found |= matches!(fact, Fact::Other(other) if other == wanted));
    found
}
