//! Rung `intervals`: loops and range checks compare one word with constants. The values of the word that satisfy such a
//! condition are a few intervals; intersecting them decides the question exactly, without bit-blasting. If all words of
//! a question have few values, all combinations are tried: SMT solvers take seconds for divisions even of small
//! numbers.

use secateur_expr::{Expr, Intervals, Pool, Valuation};

use crate::Tuning;
use crate::core;
use crate::query::Query;
use crate::rungs::budget::Budget;
use crate::rungs::{Finding, Model};

/// Decides the query if all conditions restrict one word, or if conditions on one word contradict each other.
pub(crate) fn decide(
    pool: &mut Pool,
    query: &Query,
    valuation: &mut Valuation,
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    let mut words: Vec<(Expr, Intervals)> = Vec::new();
    let mut complete = true;
    for &condition in &query.conditions {
        let Some(restriction) = pool.restriction(condition) else {
            complete = false;
            continue;
        };
        match words.iter_mut().find(|(word, _)| *word == restriction.word) {
            None => words.push((restriction.word, restriction.values.clone())),
            Some((word, values)) => {
                *values = values.intersection(&restriction.values);
                if values.is_empty() {
                    let word = *word;
                    return Some(Finding::Unsat(contradiction(pool, query, word, tuning)));
                }
            }
        }
    }
    match &words[..] {
        [(word, values)] if complete => {
            let current = valuation.eval_wide(pool, *word);
            Some(Finding::Sat(pool.bytes_of_word(*word, values.nearest(current)?)))
        }
        _ => enumerate(pool, query, &words, valuation, tuning, budget),
    }
}

/// Tries all combinations if they are few and the query is about nothing else.
fn enumerate(
    pool: &Pool,
    query: &Query,
    words: &[(Expr, Intervals)],
    valuation: &mut Valuation,
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    let bytes: usize = words.iter().map(|(word, _)| usize::from(pool.width(*word) / 8)).sum();
    // The sum exceeds the bytes of the query if words overlap.
    if query.native || bytes != query.bytes.len() || query.has_hole(pool) {
        return None;
    }
    let combinations = words.iter().try_fold(1u64, |product, (_, values)| product.checked_mul(values.count()))?;
    if combinations.checked_mul(query.conditions.len() as u64)? > tuning.intervals_evaluations {
        return None;
    }
    let mut models: Vec<Model> = vec![Vec::new()];
    for (word, values) in words {
        let longer = |model: &Model| {
            let model = model.clone();
            values.members().map(move |value| [model.clone(), pool.bytes_of_word(*word, value)].concat())
        };
        models = models.iter().flat_map(longer).collect();
    }
    for model in models {
        if budget.is_used_up(valuation) {
            return None;
        }
        model.iter().for_each(|&(byte, value)| valuation.set_byte(byte, value));
        if query.holds(pool, valuation) {
            return Some(Finding::Sat(model));
        }
    }
    Some(Finding::Unsat(query.conditions.clone()))
}

fn contradiction(pool: &mut Pool, query: &Query, word: Expr, tuning: &Tuning) -> Vec<Expr> {
    let mut on_word = Vec::new();
    for &condition in &query.conditions {
        if let Some(restriction) = pool.restriction(condition).filter(|restriction| restriction.word == word) {
            on_word.push((condition, restriction));
        }
    }
    if on_word.len() <= tuning.intervals_shrink {
        let all = Intervals::all(pool.width(word));
        on_word = core::shrink(on_word, |kept| {
            kept.iter().fold(all.clone(), |left, (_, on)| left.intersection(&on.values)).is_empty()
        });
    }
    on_word.into_iter().map(|(condition, _)| condition).collect()
}
