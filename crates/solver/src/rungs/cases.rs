//! Rung `cases`: where a text begins, or what a number counts, often depends on one byte: a sign, a prefix, a
//! separator. All that is computed from the text is then an if-then-else on that byte, which no cheaper rung can
//! handle. So this one splits: a case is a set of values of the byte for which all conditions of these if-then-elses
//! have the same outcome. Within a case the question is free of them, and mostly about single bytes. Interval analysis
//! bounds the rest, such as the number that digits make, and bisecting the values of one byte after the other soon
//! leaves a solution or nothing.
//!
//! A byte that selects an element of an array, such as the length of a message that says where the next one begins, is
//! split into its values if few are left. Each makes the element a byte or a constant.

use std::ops::Range;

use rustc_hash::FxHashSet;
use secateur_expr::{ByteSet, Expr, Node, Pool, Valuation};

use crate::Tuning;
use crate::query::Query;
use crate::ranges::Ranges;
use crate::rungs::budget::Budget;
use crate::rungs::{Finding, domains};

/// A condition as it is in a case, and the condition of the question that it stems from, unless it defines the case.
#[derive(Clone, Copy)]
struct Condition {
    here: Expr,
    origin: Option<Expr>,
}

/// Decides the query if some case has a solution, or if all cases are refuted.
pub(crate) fn decide(
    pool: &mut Pool,
    query: &Query,
    valuation: &mut Valuation,
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    if query.native || query.has_hole(pool) {
        return None;
    }
    let current = valuation.input().to_vec();
    let whole = query.conditions.iter().map(|&here| Condition { here, origin: Some(here) }).collect();
    let mut cases: Vec<Vec<Condition>> = vec![whole];
    let mut core: FxHashSet<Expr> = FxHashSet::default();
    let mut visited = 0;
    let mut all_refuted = true;
    while let Some(case) = cases.pop() {
        visited += 1;
        if visited > tuning.cases_limit || budget.is_used_up(valuation) {
            return None;
        }
        let refuted = match refute(pool, query, &case, tuning) {
            Some(refuted) => Some(refuted),
            None => {
                let mut parts = split(pool, &case, tuning);
                if parts.is_empty() {
                    parts = split_index(pool, &case, &current, tuning);
                }
                if !parts.is_empty() {
                    cases.extend(parts);
                    continue;
                }
                match decide_case(pool, query, &case, valuation, &current, tuning, budget) {
                    Some(Finding::Sat(model)) => return Some(Finding::Sat(model)),
                    Some(Finding::Unsat(core)) => Some(core),
                    Some(Finding::Candidate(_)) | None => None,
                }
            }
        };
        match refuted {
            Some(here) => {
                let needed = case.iter().filter(|condition| here.contains(&condition.here));
                core.extend(needed.filter_map(|condition| condition.origin));
            }
            None => all_refuted = false,
        }
    }
    // The cases are exhaustive, so together the cores of all of them refute the question.
    all_refuted.then(|| Finding::Unsat(query.conditions.iter().copied().filter(|e| core.contains(e)).collect()))
}

/// Conditions of a case that contradict each other, if the values of single bytes or bounds show it.
fn refute(pool: &mut Pool, query: &Query, case: &[Condition], tuning: &Tuning) -> Option<Vec<Expr>> {
    let mut tables = vec![ByteSet::ALL; query.bytes.len()];
    let mut on_bytes: Vec<(u32, Expr)> = Vec::new();
    let mut open = Vec::new();
    for &Condition { here, .. } in case {
        if pool.is_false(here) {
            return Some(vec![here]);
        }
        let Some((byte, table)) = pool.on_one_byte(here) else {
            open.push(here);
            continue;
        };
        let values = &mut tables[query.bytes.binary_search(&byte).ok()?];
        *values &= table;
        on_bytes.push((byte, here));
        if values.is_empty() {
            return Some(on_bytes.iter().filter(|(on, _)| *on == byte).map(|(_, here)| *here).collect());
        }
    }
    let mut ranges = Ranges::new(pool, &open, tuning.cases_parts)?;
    ranges.bound(pool, |byte| {
        let values = query.bytes.binary_search(&byte).map_or(ByteSet::ALL, |at| tables[at]);
        (values.first().unwrap_or(0), values.last().unwrap_or(u8::MAX))
    });
    let refuted = open.into_iter().find(|&condition| ranges.truth(condition) == Some(false))?;
    let bytes = pool.support_bytes(pool.support(refuted));
    let bounding = on_bytes.iter().filter(|(byte, _)| bytes.contains(byte)).map(|(_, here)| *here);
    Some(bounding.chain([refuted]).collect())
}

/// Splits a case on the byte that most if-then-elses depend on; empty if none depends on a single byte.
fn split(pool: &mut Pool, case: &[Condition], tuning: &Tuning) -> Vec<Vec<Condition>> {
    let roots: Vec<Expr> = case.iter().map(|condition| condition.here).collect();
    let Some(parts) = pool.operands_first(&roots, tuning.cases_parts) else { return Vec::new() };
    let mut choices: Vec<(u32, Expr, ByteSet)> = Vec::new();
    for part in parts {
        if let Node::Ite(choice, _, _) = pool.node(part)
            && let Some((byte, table)) = pool.on_one_byte(choice)
        {
            choices.push((byte, choice, table));
        }
    }
    let count = |byte: u32| choices.iter().filter(|(on, ..)| *on == byte).count();
    let Some(byte) = choices.iter().map(|(byte, ..)| *byte).max_by_key(|&byte| (count(byte), std::cmp::Reverse(byte)))
    else {
        return Vec::new();
    };
    choices.retain(|(on, ..)| *on == byte);
    choices.sort_unstable_by_key(|(_, choice, _)| *choice);
    choices.dedup_by_key(|(_, choice, _)| *choice);
    if choices.len() > tuning.cases_choices {
        return Vec::new();
    }
    let outcomes = |value: u8| choices.iter().map(|(.., table)| table.contains(value)).collect();
    let mut kinds: Vec<Vec<bool>> = (0..=u8::MAX).map(outcomes).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
        .into_iter()
        .map(|kind| {
            let made: Vec<(Expr, Expr)> =
                choices.iter().zip(&kind).map(|((_, choice, _), &holds)| (*choice, pool.bool(holds))).collect();
            let rebuilt = pool.replace_all(&roots, &made);
            let mut split: Vec<Condition> =
                case.iter().zip(rebuilt).map(|(condition, here)| Condition { here, ..*condition }).collect();
            for ((_, choice, _), holds) in choices.iter().zip(kind) {
                let here = if holds { *choice } else { pool.not(*choice) };
                split.push(Condition { here, origin: None });
            }
            split
        })
        .collect()
}

/// Splits a case into the values of a byte that alone determines an index of an array; empty if there is none, or if it
/// has many values. The value of the current input comes last, to be looked at first.
fn split_index(pool: &mut Pool, case: &[Condition], current: &[u8], tuning: &Tuning) -> Vec<Vec<Condition>> {
    let roots: Vec<Expr> = case.iter().map(|condition| condition.here).collect();
    let Some(parts) = pool.operands_first(&roots, tuning.cases_parts) else { return Vec::new() };
    let index_byte = parts.into_iter().find_map(|part| match pool.node(part) {
        Node::Select { index, .. } => match pool.support_bytes(pool.support(index)) {
            [byte] => Some(*byte),
            _ => None,
        },
        _ => None,
    });
    let Some(byte) = index_byte else { return Vec::new() };
    let mut values = ByteSet::ALL;
    for &root in &roots {
        if let Some((on, table)) = pool.on_one_byte(root)
            && on == byte
        {
            values &= table;
        }
    }
    if usize::from(values.len()) > tuning.cases_values {
        return Vec::new();
    }
    let variable = pool.input(byte, 1);
    // Exhaustive: the first case has all other values, which the conditions on the byte refute.
    let mut others = case.to_vec();
    let mut split = Vec::new();
    for value in values.iter() {
        let constant = pool.constant(8, u128::from(value));
        let here = pool.eq(variable, constant);
        others.push(Condition { here: pool.not(here), origin: None });
        let rebuilt = pool.replace_all(&roots, &[(variable, constant)]);
        if rebuilt == roots {
            return Vec::new();
        }
        let mut part: Vec<Condition> =
            case.iter().zip(rebuilt).map(|(condition, here)| Condition { here, ..*condition }).collect();
        part.push(Condition { here, origin: None });
        split.push((current.get(byte as usize).copied().unwrap_or(0) == value, part));
    }
    split.sort_by_key(|(is_current, _)| *is_current);
    std::iter::once(others).chain(split.into_iter().map(|(_, part)| part)).collect()
}

/// Decides a case that cannot be split further. The core consists of conditions of the case.
fn decide_case(
    pool: &mut Pool,
    query: &Query,
    case: &[Condition],
    valuation: &mut Valuation,
    current: &[u8],
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    let conditions: Vec<Expr> = case.iter().map(|condition| condition.here).collect();
    let goal = case.iter().find(|condition| condition.origin == Some(query.goal)).map(|condition| condition.here)?;
    let question = Query::new(pool, conditions, goal);
    valuation.set_input(current.to_vec());
    if let Some(found) = domains::decide(pool, &question, valuation, tuning, budget) {
        return Some(found);
    }
    let mut values: Vec<Vec<u8>> = vec![(0..=u8::MAX).collect(); question.bytes.len()];
    let mut open = Vec::new();
    for &condition in &question.conditions {
        match pool.on_one_byte(condition) {
            Some((byte, table)) => {
                values[question.bytes.binary_search(&byte).ok()?].retain(|value| table.contains(*value));
            }
            None => open.push(condition),
        }
    }
    // The rung `domains` refutes a byte without a value.
    if values.iter().any(Vec::is_empty) {
        return None;
    }
    bisect(pool, &question, &open, values, valuation, tuning)
}

/// Bisects the values of bytes until the rest of them satisfies all open conditions, or cannot.
fn bisect(
    pool: &Pool,
    question: &Query,
    open: &[Expr],
    values: Vec<Vec<u8>>,
    valuation: &mut Valuation,
    tuning: &Tuning,
) -> Option<Finding> {
    let mut ranges = Ranges::new(pool, open, tuning.cases_parts)?;
    let mut rounds = tuning.cases_work / (ranges.parts() + values.len()).max(1);
    let mut left = Bisection::new(values);
    loop {
        rounds = rounds.checked_sub(1)?;
        ranges.bound(pool, |byte| match question.bytes.binary_search(&byte) {
            Ok(at) => left.bounds(at),
            Err(_) => (0, u8::MAX),
        });
        if !open.iter().any(|&condition| ranges.truth(condition) == Some(false)) {
            let Some(&condition) = open.iter().find(|&&condition| ranges.truth(condition).is_none()) else {
                let smallest = question.bytes.iter().zip(0..).map(|(&byte, at)| (byte, left.bounds(at).0));
                return Some(Finding::Sat(smallest.collect()));
            };
            let bytes = pool.support_bytes(pool.support(condition));
            let places = bytes.iter().filter_map(|byte| question.bytes.binary_search(byte).ok());
            if let Some(at) = places.clone().find(|&at| left.is_ambiguous(at)) {
                left.take_lower(at);
                continue;
            }
            // All bytes have a single value, which the bounds do not decide; evaluation does.
            bytes.iter().for_each(|&byte| valuation.set_byte(byte, 0));
            places.for_each(|at| valuation.set_byte(question.bytes[at], left.bounds(at).0));
            if valuation.holds(pool, condition) {
                return None;
            }
        }
        if !left.take_next() {
            return Some(Finding::Unsat(question.conditions.clone()));
        }
    }
}

/// The values of bytes that are left while they are bisected: of each byte, a part of its list. What was halved is
/// halved back, so that a step costs the same however many bytes there are.
struct Bisection {
    values: Vec<Vec<u8>>,
    /// The part of each list that is left.
    parts: Vec<Range<usize>>,
    /// The halvings that led here: the byte, and the part that was left before. The last is undone first.
    halved: Vec<(usize, Range<usize>)>,
    /// Of which halvings the upper halves are still to be looked at, by their place in that list.
    upper: Vec<usize>,
}

impl Bisection {
    fn new(values: Vec<Vec<u8>>) -> Bisection {
        let parts = values.iter().map(|values| 0..values.len()).collect();
        Bisection { values, parts, halved: Vec::new(), upper: Vec::new() }
    }

    /// The least and the greatest value of a byte.
    fn bounds(&self, at: usize) -> (u8, u8) {
        let part = &self.parts[at];
        (self.values[at][part.start], self.values[at][part.end - 1])
    }

    fn is_ambiguous(&self, at: usize) -> bool {
        self.parts[at].len() > 1
    }

    /// Goes on with the lower half of the values of a byte.
    fn take_lower(&mut self, at: usize) {
        let part = self.parts[at].clone();
        self.upper.push(self.halved.len());
        self.parts[at].end = part.start + part.len() / 2;
        self.halved.push((at, part));
    }

    /// Goes on with the upper half that was left last; false if there is none.
    fn take_next(&mut self) -> bool {
        let Some(place) = self.upper.pop() else { return false };
        while self.halved.len() > place + 1 {
            let Some((at, part)) = self.halved.pop() else { break };
            self.parts[at] = part;
        }
        let (at, part) = &self.halved[place];
        self.parts[*at] = part.start + part.len() / 2..part.end;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All combinations of the values of three bytes are looked at, each once.
    #[test]
    fn bisecting_leaves_nothing_out() {
        let values = vec![vec![1, 5, 7], vec![2], vec![0, 9]];
        let mut left = Bisection::new(values);
        let mut seen = Vec::new();
        loop {
            if let Some(at) = (0..3).find(|&at| left.is_ambiguous(at)) {
                left.take_lower(at);
                continue;
            }
            seen.push([0, 1, 2].map(|at| left.bounds(at).0));
            if !left.take_next() {
                break;
            }
        }
        assert_eq!(seen, [[1, 2, 0], [1, 2, 9], [5, 2, 0], [5, 2, 9], [7, 2, 0], [7, 2, 9]]);
    }
}
