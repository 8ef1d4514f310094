//! Rung `models`: an input that was found for one flip often satisfies the next one, too, since both share most of
//! their path. Evaluating a goal takes microseconds. (From KLEE's counterexample cache.)

use std::collections::VecDeque;

use secateur_expr::{Pool, Valuation};

use crate::Tuning;
use crate::query::Query;
use crate::rungs::budget::Budget;
use crate::rungs::{Finding, Model};

/// Recent models, the newest first.
#[derive(Default)]
pub(crate) struct Models {
    recent: VecDeque<Model>,
}

impl Models {
    /// Tries the current input and then recent models that change a byte of the goal. `valuation` holds the current
    /// input.
    pub(crate) fn decide(
        &mut self,
        pool: &Pool,
        query: &Query,
        valuation: &mut Valuation,
        tuning: &Tuning,
        budget: &Budget<'_>,
    ) -> Option<Finding> {
        if query.has_hole(pool) {
            return None;
        }
        if query.holds(pool, valuation) {
            return Some(Finding::Sat(Vec::new()));
        }
        let current = valuation.input().to_vec();
        let goal_bytes = pool.support_bytes(pool.support(query.goal));
        let mut tries = 0;
        for at in 0..self.recent.len() {
            let model = &self.recent[at];
            // A model that does not change a byte of the goal cannot change the goal.
            if !goal_bytes
                .iter()
                .any(|&byte| value_of(model, byte).is_some_and(|value| value != byte_of(&current, byte)))
            {
                continue;
            }
            tries += 1;
            if tries > tuning.models_tries || budget.is_used_up(valuation) {
                break;
            }
            valuation.set_input(current.clone());
            let relevant: Model =
                model.iter().copied().filter(|(byte, _)| query.bytes.binary_search(byte).is_ok()).collect();
            relevant.iter().for_each(|&(byte, value)| valuation.set_byte(byte, value));
            if query.holds(pool, valuation) {
                // Models that help once are likely to help again.
                if let Some(model) = self.recent.remove(at) {
                    self.recent.push_front(model);
                }
                return Some(Finding::Sat(relevant));
            }
        }
        None
    }

    /// Keeps a model.
    pub(crate) fn insert(&mut self, model: &Model, tuning: &Tuning) {
        if model.is_empty() || self.recent.front() == Some(model) {
            return;
        }
        let mut model = model.clone();
        model.sort_unstable();
        self.recent.push_front(model);
        self.recent.truncate(tuning.models_kept);
    }
}

fn value_of(model: &Model, byte: u32) -> Option<u8> {
    model.binary_search_by_key(&byte, |&(byte, _)| byte).ok().map(|at| model[at].1)
}

fn byte_of(input: &[u8], byte: u32) -> u8 {
    input.get(byte as usize).copied().unwrap_or(0)
}
