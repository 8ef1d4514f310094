//! The ladder: a question climbs from the cheapest rung to the strongest until one answers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use secateur_expr::{Expr, Pool, Valuation};

use crate::answer::{Answer, UnknownReason};
use crate::backend::{self, Backend};
use crate::dump::Dump;
use crate::query::Query;
use crate::rungs::{Finding, Rung, domains, fold, slice, smt::Smt};
use crate::{Options, SolverError, Statistics};

/// Finds inputs that satisfy conditions. Owned by one worker; it can move to another thread but is never shared.
pub struct Solver {
    options: Options,
    backend: Box<dyn Backend>,
    dump: Option<Dump>,
    statistics: Statistics,
    /// Evaluates models before they are believed.
    valuation: Valuation,
    /// The hole that marks the pool whose handles are remembered.
    marker: Option<u32>,
}

impl Solver {
    /// Starts the backend and creates the folder for dumped questions.
    pub fn new(options: Options) -> Result<Solver, SolverError> {
        let backend = backend::backend(options.backend, options.seed)?;
        let dump = options.dump.clone().map(Dump::new).transpose()?;
        Ok(Solver {
            options,
            backend,
            dump,
            statistics: Statistics::default(),
            valuation: Valuation::new(Vec::new()),
            marker: None,
        })
    }

    /// Finds an input on which all of `path` and `goal` hold.
    ///
    /// All of `path` must hold on `current`. The found input equals `current` on every byte that is not connected to `goal`
    /// through conditions of the path; it may be longer than `current`.
    pub fn solve(&mut self, pool: &mut Pool, path: &[Expr], goal: Expr, current: &[u8]) -> Answer {
        self.notice_pool(pool);
        self.statistics.queries += 1;
        let answer = match self.climb(pool, path, goal, current) {
            Ok(Finding::Sat(model)) => Answer::Sat(with_model(current, &model)),
            Ok(Finding::Unsat(core)) => Answer::Unsat(core),
            Err(reason) => Answer::Unknown(reason),
        };
        match answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat(_) => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    /// What was asked and answered so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn climb(&mut self, pool: &mut Pool, path: &[Expr], goal: Expr, current: &[u8]) -> Result<Finding, UnknownReason> {
        if let Some(found) = self.timed(Rung::Fold, |_| fold::decide(pool, path, goal)) {
            return Ok(found);
        }
        let query = if self.options.rungs.has(Rung::Slice) {
            let start = Instant::now();
            let query = slice::slice(pool, path, goal);
            self.statistics.record(Rung::Slice, start.elapsed(), false);
            query
        } else {
            Query::new(pool, path.to_vec(), goal)
        };
        for rung in [Rung::Domains] {
            self.valuation.set_input(current.to_vec());
            let found = self.timed(rung, |solver| match rung {
                Rung::Domains => domains::decide(pool, &query, &mut solver.valuation),
                _ => None,
            });
            if let Some(found) = found
                && self.holds_up(pool, &query, &found, current)
            {
                return Ok(found);
            }
        }
        if !self.options.rungs.has(Rung::Smt) {
            return Err(UnknownReason::Undecided);
        }
        self.valuation.set_input(current.to_vec());
        let start = Instant::now();
        let smt = Smt {
            backend: &mut *self.backend,
            dump: self.dump.as_mut(),
            statistics: &mut self.statistics,
            timeout: self.options.timeout,
        };
        let found = smt.decide(pool, &query, &mut self.valuation);
        self.statistics.record(Rung::Smt, start.elapsed(), found.is_ok());
        found
    }

    /// Runs a rung if it is switched on, and keeps books.
    fn timed(&mut self, rung: Rung, decide: impl FnOnce(&mut Solver) -> Option<Finding>) -> Option<Finding> {
        if !self.options.rungs.has(rung) {
            return None;
        }
        let start = Instant::now();
        let found = decide(self);
        self.statistics.record(rung, start.elapsed(), found.is_some());
        found
    }

    /// Evaluates a model on all conditions. A rung whose model does not hold has a fault; the question then goes on to the next.
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
    fn notice_pool(&mut self, pool: &mut Pool) {
        /// Numbers of holes that mark pools; far above those that placeholders use, and never used twice.
        static MARKERS: AtomicU32 = AtomicU32::new(0xf000_0000);

        let known = self.marker.is_some_and(|marker| {
            let before = pool.len();
            pool.hole(marker, 1);
            pool.len() == before
        });
        if !known {
            let marker = MARKERS.fetch_add(1, Ordering::Relaxed);
            pool.hole(marker, 1);
            self.marker = Some(marker);
            // It drops its translations first, so that even a backend that cannot start anew gives no stale answer.
            let _ = self.backend.forget();
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
