//! Rung `cache`: exploring a tree asks the same small question under many paths, because slicing strips what differs. An exact table
//! answers repeats; the cores of refuted questions answer every question that contains one. (The counterexample cache of KLEE, with
//! cores in place of whole sets. Its third part, models of larger sets, is the rung `models`.)

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::Expr;

use crate::query::Query;
use crate::rungs::Finding;

/// How many answers are remembered; the oldest go first.
const MAX_ANSWERS: usize = 1 << 16;

/// How many cores are remembered.
const MAX_CORES: usize = 1 << 14;

/// Longer cores seldom occur in another question.
const MAX_CORE: usize = 24;

/// The answers of one pool.
#[derive(Default)]
pub(crate) struct Cache {
    answers: FxHashMap<Box<[Expr]>, Finding>,
    age: VecDeque<Box<[Expr]>>,
    /// Cores, sorted, by their newest condition: any question that contains a core contains that.
    cores: FxHashMap<Expr, Vec<Box<[Expr]>>>,
    core_count: usize,
}

impl Cache {
    /// The answer to this question, or a core that it contains.
    pub(crate) fn decide(&self, query: &Query) -> Option<Finding> {
        if let Some(found) = self.answers.get(query.conditions.as_slice()) {
            return Some(found.clone());
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

    /// Remembers an answer.
    pub(crate) fn insert(&mut self, query: &Query, found: &Finding) {
        if let Finding::Unsat(core) = found {
            self.insert_core(core);
        }
        let key: Box<[Expr]> = query.conditions.as_slice().into();
        if self.answers.insert(key.clone(), found.clone()).is_none() {
            self.age.push_back(key);
            if self.age.len() > MAX_ANSWERS
                && let Some(oldest) = self.age.pop_front()
            {
                self.answers.remove(&oldest);
            }
        }
    }

    fn insert_core(&mut self, core: &[Expr]) {
        if core.len() > MAX_CORE {
            return;
        }
        if self.core_count >= MAX_CORES {
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
