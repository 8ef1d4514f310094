//! The ladder: a question climbs from the cheapest rung to the strongest until one answers.

use std::time::Instant;

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::Path;

use crate::answer::{Answer, UnknownReason};
use crate::backend::{self, Backend};
use crate::cross_check::{CrossCheck, Disagreement};
use crate::dump::Dump;
use crate::patience::Patience;
use crate::query::Query;
use crate::rungs::cache::Cache;
use crate::rungs::models::Models;
use crate::rungs::smt::Smt;
use crate::rungs::{Finding, Rung, cases, domains, fold, intervals, known, order, search, sums};
use crate::{Options, SolverError, Statistics};

/// The rungs between slicing and the backend, in the order of what they cost.
const CHEAP: [Rung; 8] =
    [Rung::Cache, Rung::Domains, Rung::Intervals, Rung::Order, Rung::Models, Rung::Search, Rung::Cases, Rung::Sums];

/// Finds inputs that satisfy conditions. Owned by one worker; it can move to another thread but is never shared.
pub struct Solver {
    options: Options,
    backend: Box<dyn Backend>,
    dump: Option<Dump>,
    cross_check: Option<CrossCheck>,
    disagreements: Vec<Disagreement>,
    /// When to stop, whatever is being asked.
    patience: Patience,
    statistics: Statistics,
    /// Evaluates models before they are believed.
    valuation: Valuation,
    cache: Cache,
    models: Models,
    /// The pool whose handles are remembered.
    pool: Option<u64>,
}

impl Solver {
    /// Starts the backend and creates the folder for dumped questions.
    pub fn new(options: Options) -> Result<Solver, SolverError> {
        let backend = backend::backend(options.backend, options.seed, options.process.as_ref())?;
        let dump = options.dump.clone().map(Dump::new).transpose()?;
        let cross_check =
            options.cross_check.then(|| CrossCheck::new(options.seed, options.process.as_ref())).transpose()?;
        Ok(Solver {
            options,
            backend,
            dump,
            cross_check,
            disagreements: Vec::new(),
            patience: Patience::default(),
            statistics: Statistics::default(),
            valuation: Valuation::new(Vec::new()),
            cache: Cache::default(),
            models: Models::default(),
            pool: None,
        })
    }

    /// Finds an input on which all of `path` and `goal` hold.
    ///
    /// All of `path` must hold on `current`. The found input equals `current` on every byte that is not connected to `goal`
    /// through conditions of the path; it may be longer than `current`.
    pub fn solve(&mut self, pool: &mut Pool, path: &Path, goal: Expr, current: &[u8]) -> Answer {
        self.notice_pool(pool);
        self.statistics.queries += 1;
        let answer = match self.climb(pool, path, goal, current) {
            Ok(Finding::Sat(model)) => Answer::Sat(with_model(current, &model)),
            Ok(Finding::Unsat(core)) => Answer::Unsat(core),
            Err(reason) => Answer::Unknown(reason),
        };
        if let Some(cross_check) = &mut self.cross_check {
            self.disagreements.extend(cross_check.examine(pool, &path.conditions(), goal, &answer));
        }
        match answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat(_) => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    /// From now on, questions are left with [`UnknownReason::Stopped`] when this patience is over.
    pub fn stop_after(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// Adds what another solver of the run was asked and what it answered.
    pub fn absorb(&mut self, other: Solver) {
        self.statistics += &other.statistics;
        self.disagreements.extend(other.disagreements);
    }

    /// The answers that a backend contradicted so far; always none without [`Options::cross_check`].
    pub fn disagreements(&self) -> &[Disagreement] {
        &self.disagreements
    }

    /// What was asked and answered so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn climb(&mut self, pool: &mut Pool, path: &Path, goal: Expr, current: &[u8]) -> Result<Finding, UnknownReason> {
        if self.options.rungs.has(Rung::Fold) {
            let start = Instant::now();
            let found = fold::decide(pool, goal);
            self.statistics.record(Rung::Fold, start.elapsed(), found.is_some());
            if let Some(found) = found {
                return Ok(found);
            }
        }
        if self.options.rungs.has(Rung::Known) {
            let start = Instant::now();
            self.valuation.set_input(current.to_vec());
            let found = known::decide(pool, path, goal, &mut self.valuation);
            self.statistics.record(Rung::Known, start.elapsed(), found.is_some());
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let start = Instant::now();
        let query = if self.options.rungs.has(Rung::Slice) {
            let query = Query::new(pool, path.connected(pool, goal), goal);
            self.statistics.record(Rung::Slice, start.elapsed(), false);
            query
        } else {
            Query::new(pool, path.conditions(), goal)
        };
        for rung in CHEAP {
            if !self.options.rungs.has(rung) {
                continue;
            }
            let start = Instant::now();
            self.valuation.set_input(current.to_vec());
            let found = self.try_rung(rung, pool, &query);
            let found = found.filter(|found| self.holds_up(pool, &query, found, current));
            self.statistics.record(rung, start.elapsed(), found.is_some());
            if let Some(found) = found {
                if rung != Rung::Cache {
                    self.remember(&query, &found);
                }
                return Ok(found);
            }
        }
        let found = self.ask_backend(pool, &query, current)?;
        self.remember(&query, &found);
        Ok(found)
    }

    /// One of the rungs between slicing and the backend. The valuation holds the current input.
    fn try_rung(&mut self, rung: Rung, pool: &mut Pool, query: &Query) -> Option<Finding> {
        match rung {
            Rung::Cache => self.cache.decide(query),
            Rung::Models => self.models.decide(pool, query, &mut self.valuation),
            Rung::Domains => domains::decide(pool, query, &mut self.valuation),
            Rung::Intervals => intervals::decide(pool, query, &mut self.valuation),
            Rung::Order => order::decide(pool, query, &mut self.valuation),
            Rung::Search => search::decide(pool, query, &mut self.valuation),
            Rung::Cases => cases::decide(pool, query, &mut self.valuation),
            Rung::Sums => sums::decide(pool, query, &self.valuation),
            Rung::Fold | Rung::Known | Rung::Slice | Rung::Smt => None,
        }
    }

    fn ask_backend(&mut self, pool: &mut Pool, query: &Query, current: &[u8]) -> Result<Finding, UnknownReason> {
        if !self.options.rungs.has(Rung::Smt) {
            return Err(UnknownReason::Undecided);
        }
        let start = Instant::now();
        self.valuation.set_input(current.to_vec());
        let patience = self.patience.clone().at_most(self.options.timeout);
        let smt = Smt {
            backend: &mut *self.backend,
            dump: self.dump.as_mut(),
            statistics: &mut self.statistics,
            patience: &patience,
        };
        let mut found = smt.decide(pool, query, &mut self.valuation);
        if let Err(UnknownReason::Native(_)) = found
            && self.options.rungs.has(Rung::Search)
        {
            // The last model is right up to the opaque functions, so it is a good place to search from with the real ones.
            let proposed = search::decide(pool, query, &mut self.valuation);
            found = proposed.filter(|proposed| self.holds_up(pool, query, proposed, current)).ok_or_else(|| {
                let Err(reason) = found else { return UnknownReason::Undecided };
                reason
            });
        }
        self.statistics.record(Rung::Smt, start.elapsed(), found.is_ok());
        found.map_err(|reason| match reason {
            UnknownReason::Timeout if self.patience.is_over() => UnknownReason::Stopped,
            reason => reason,
        })
    }

    /// Keeps an answer for later questions.
    fn remember(&mut self, query: &Query, found: &Finding) {
        if self.options.rungs.has(Rung::Cache) {
            self.cache.insert(query, found);
        }
        if let Finding::Sat(model) = found
            && self.options.rungs.has(Rung::Models)
        {
            self.models.insert(model);
        }
    }

    /// Evaluates a model on all conditions. A rung may propose one without being certain; the question then goes on to the next.
    fn holds_up(&mut self, pool: &Pool, query: &Query, found: &Finding, current: &[u8]) -> bool {
        match found {
            Finding::Unsat(_) => true,
            Finding::Sat(model) => {
                self.valuation.set_input(with_model(current, model));
                query.conditions.iter().all(|&condition| self.valuation.holds(pool, condition))
            }
        }
    }

    /// Forgets everything that is named by handles if this is not the pool of the last question.
    fn notice_pool(&mut self, pool: &Pool) {
        if self.pool.replace(pool.id()) != Some(pool.id()) {
            self.cache = Cache::default();
            self.models = Models::default();
            // It drops its translations first, so that even a backend that cannot start anew gives no stale answer.
            let _ = self.backend.forget();
            if let Some(cross_check) = &mut self.cross_check {
                cross_check.forget();
            }
        }
    }
}

/// The input with some bytes replaced, made long enough to hold them.
fn with_model(current: &[u8], model: &[(u32, u8)]) -> Vec<u8> {
    let mut input = current.to_vec();
    for &(byte, value) in model {
        let at = byte as usize;
        if at >= input.len() {
            input.resize(at + 1, 0);
        }
        input[at] = value;
    }
    input
}
