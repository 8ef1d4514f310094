//! Rung `cache`: slicing strips what differs between paths, so many paths ask the same small question. A table answers
//! exact repetitions, and the core of an unsatisfiable question answers every question that contains it. (This is the
//! counterexample cache of KLEE, with cores in place of whole sets. Its third part, models of larger sets, is the rung
//! `models`.)

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::Expr;

use crate::Tuning;
use crate::query::Query;
use crate::rungs::{Checked, Finding};

/// The answers of one pool.
#[derive(Default)]
pub(crate) struct Cache {
    answers: FxHashMap<Box<[Expr]>, Checked>,
    by_age: VecDeque<Box<[Expr]>>,
    /// How many conditions and bytes all answers have together.
    size: usize,
    /// Sorted cores, indexed by their newest condition, which any question that contains the core contains.
    cores: FxHashMap<Expr, Vec<Box<[Expr]>>>,
    core_count: usize,
}

impl Cache {
    /// Answers a repeated question, or one that contains a core.
    pub(crate) fn decide(&self, query: &Query) -> Option<Finding> {
        match self.answers.get(query.conditions.as_slice()) {
            // Bytes that are not in the model may have had other values then.
            Some(Checked::Sat(model)) => return Some(Finding::Candidate(model.clone())),
            Some(Checked::Unsat(core)) => return Some(Finding::Unsat(core.clone())),
            None => {}
        }
        let mut members = None;
        for condition in &query.conditions {
            for core in self.cores.get(condition).into_iter().flatten() {
                let members: &FxHashSet<Expr> =
                    members.get_or_insert_with(|| query.conditions.iter().copied().collect());
                if core.iter().all(|condition| members.contains(condition)) {
                    return Some(Finding::Unsat(core.to_vec()));
                }
            }
        }
        None
    }

    /// Keeps an answer.
    pub(crate) fn insert(&mut self, query: &Query, found: &Checked, tuning: &Tuning) {
        if let Checked::Unsat(core) = found {
            self.insert_core(core, tuning);
        }
        let key: Box<[Expr]> = query.conditions.as_slice().into();
        self.size += size(&key, found);
        match self.answers.insert(key.clone(), found.clone()) {
            Some(before) => self.size -= size(&key, &before),
            None => self.by_age.push_back(key),
        }
        while self.by_age.len() > tuning.cache_answers || self.size > tuning.cache_size {
            let Some(oldest) = self.by_age.pop_front() else { break };
            if let Some(found) = self.answers.remove(&oldest) {
                self.size -= size(&oldest, &found);
            }
        }
    }

    fn insert_core(&mut self, core: &[Expr], tuning: &Tuning) {
        if core.len() > tuning.cache_core_length {
            return;
        }
        if self.core_count >= tuning.cache_cores {
            self.cores.clear();
            self.core_count = 0;
        }
        let mut core: Box<[Expr]> = core.into();
        core.sort_unstable();
        if let Some(&newest) = core.last() {
            let known = self.cores.entry(newest).or_default();
            if !known.contains(&core) {
                known.push(core);
                self.core_count += 1;
            }
        }
    }
}

/// The size of an answer. Its conditions are kept twice: as the key, and in the order of age.
fn size(conditions: &[Expr], found: &Checked) -> usize {
    2 * conditions.len()
        + match found {
            Checked::Sat(model) => model.len(),
            Checked::Unsat(core) => core.len(),
        }
}

#[cfg(test)]
mod tests {
    use secateur_expr::Pool;

    use super::*;

    #[test]
    fn many_long_questions_take_bounded_memory() {
        let mut pool = Pool::new();
        let conditions: Vec<Expr> = (0..10_000)
            .map(|byte| {
                let (byte, seven) = (pool.input(byte, 1), pool.constant(8, 7));
                pool.ult(byte, seven)
            })
            .collect();
        let (mut cache, tuning) = (Cache::default(), Tuning::default());
        let question = |from: usize| Query::new(&pool, conditions[from..].to_vec(), conditions[from]);
        for from in 0..1000 {
            cache.insert(&question(from), &Checked::Sat(vec![(0, 0)]), &tuning);
            assert!(cache.size <= tuning.cache_size, "{} after {from}", cache.size);
        }
        assert!(cache.decide(&question(999)).is_some(), "the newest stay");
        assert!(cache.decide(&question(0)).is_none(), "the oldest go");
        let stored: usize = cache.answers.iter().map(|(key, found)| size(key, found)).sum();
        assert_eq!(stored, cache.size);
    }
}
