//! The ladder: a question climbs from the cheapest rung to the strongest until one answers.

use std::time::Instant;

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::Path;

use crate::answer::{Answer, BackendReason, UnknownReason};
use crate::backend::{self, Backend};
use crate::cross_check::{CrossCheck, Disagreement};
use crate::deadline::Deadline;
use crate::dump::Dump;
use crate::query::Query;
use crate::rungs::backoff::Backoff;
use crate::rungs::budget::Budget;
use crate::rungs::cache::Cache;
use crate::rungs::models::Models;
use crate::rungs::smt::Smt;
use crate::rungs::{
    Checked, Finding, Rung, RungSet, cases, domains, fold, intervals, known, layers, order, search, sums, walk,
};
use crate::{Options, SolverError, Statistics};

/// Finds inputs that satisfy conditions. Owned by one worker; it can move to another thread but is never shared.
///
/// ```
/// use secateur_expr::Pool;
/// use secateur_path::Path;
/// use secateur_solver::{Answer, Options, Rung, Solver};
///
/// let mut pool = Pool::new();
/// let words: Vec<_> = (0..3).map(|i| pool.input(4 * i, 4)).collect();
/// let conditions = [pool.ult(words[0], words[1]), pool.ult(words[1], words[2])];
/// let path = Path::of(&mut pool, &conditions);
/// let goal = pool.ult(words[2], words[0]);
///
/// let mut solver = Solver::new(Options::default())?;
/// let current = [1u32, 2, 3].map(u32::to_le_bytes).concat();
/// let Answer::Unsat(core) = solver.solve(&mut pool, &path, goal, &current) else { panic!("it is a cycle") };
/// assert_eq!(core.len(), 3);
/// assert_eq!(solver.statistics().rung(Rung::Order).answered, 1);
/// # Ok::<(), secateur_solver::SolverError>(())
/// ```
pub struct Solver {
    options: Options,
    backend: Box<dyn Backend>,
    dump: Option<Dump>,
    cross_check: Option<CrossCheck>,
    disagreements: Vec<Disagreement>,
    /// The deadline of all questions.
    deadline: Deadline,
    /// How much effort may be made for a question.
    effort: Option<u64>,
    statistics: Statistics,
    /// Evaluates models before they become answers.
    valuation: Valuation,
    cache: Cache,
    models: Models,
    /// Which rungs are asked less often because they seldom answer.
    backoff: Backoff,
    /// The pool that the cached handles belong to.
    pool: Option<u64>,
}

impl Solver {
    /// Starts the backend and creates the folder for dumped questions.
    pub fn new(options: Options) -> Result<Solver, SolverError> {
        let backend = backend::backend(options.backend, &options)?;
        let dump = options.dump.clone().map(Dump::new).transpose()?;
        let cross_check = options.cross_check.then(|| CrossCheck::new(&options)).transpose()?;
        Ok(Solver {
            options,
            backend,
            dump,
            cross_check,
            disagreements: Vec::new(),
            deadline: Deadline::default(),
            effort: None,
            statistics: Statistics::default(),
            valuation: Valuation::new(Vec::new()),
            cache: Cache::default(),
            models: Models::default(),
            backoff: Backoff::default(),
            pool: None,
        })
    }

    /// Finds an input on which all of `path` and `goal` hold.
    ///
    /// All of `path` must hold on `current`. The found input equals `current` on every byte that is not connected to
    /// `goal` through conditions of the path; it may be longer than `current`.
    pub fn solve(&mut self, pool: &mut Pool, path: &Path, goal: Expr, current: &[u8]) -> Answer {
        self.notice_pool(pool);
        self.statistics.queries += 1;
        let answer = match self.climb(pool, path, goal, current) {
            // The model was evaluated last.
            Ok(Checked::Sat(_)) => Answer::Sat(self.valuation.input().to_vec()),
            Ok(Checked::Unsat(core)) => Answer::Unsat(core),
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

    /// From now on, questions end with [`UnknownReason::Stopped`] after this deadline.
    pub fn stop_after(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// From now on, the SMT library, and the search from its last model, make at most this much effort for a question,
    /// and then leave it undecided, with [`BackendReason::Effort`]. Effort is counted: the same question is left
    /// undecided in every run. A unit takes about a hundredth of a millisecond.
    pub fn set_effort(&mut self, effort: Option<u64>) {
        self.effort = effort;
    }

    /// Asks with at most this much effort.
    pub fn with_effort<T>(&mut self, effort: u64, ask: impl FnOnce(&mut Solver) -> T) -> T {
        let before = self.effort;
        self.effort = Some(before.map_or(effort, |before| before.min(effort)));
        let result = ask(self);
        self.effort = before;
        result
    }

    /// Adds the statistics and disagreements of another solver.
    pub fn absorb(&mut self, other: Solver) {
        self.statistics += &other.statistics;
        self.disagreements.extend(other.disagreements);
    }

    /// The answers that a backend contradicted so far; always empty without [`Options::cross_check`].
    pub fn disagreements(&self) -> &[Disagreement] {
        &self.disagreements
    }

    /// Counts of questions and answers so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn climb(&mut self, pool: &mut Pool, path: &Path, goal: Expr, current: &[u8]) -> Result<Checked, UnknownReason> {
        let mut climb = Climb { path, goal, current, query: None, close: None, since: Instant::now() };
        let rungs = self.options.rungs;
        let mut postponed = RungSet::none();
        let mut reason = UnknownReason::Undecided;
        for rung in Rung::ALL.into_iter().filter(|&rung| rungs.has(rung)) {
            if !self.backoff.is_due(rung) {
                postponed = postponed.with(rung);
                continue;
            }
            match self.try_rung(rung, pool, &mut climb) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(UnknownReason::Stopped) => return Err(UnknownReason::Stopped),
                Err(why) => reason = why,
            }
        }
        // The order in which rungs are asked must not decide which questions are answered.
        for rung in Rung::ALL.into_iter().filter(|&rung| postponed.has(rung)) {
            if let Some(found) = self.try_rung(rung, pool, &mut climb)? {
                return Ok(found);
            }
        }
        Err(reason)
    }

    /// Asks one rung and evaluates its model, if it finds one. The result is kept for later questions.
    fn try_rung(&mut self, rung: Rung, pool: &mut Pool, climb: &mut Climb) -> Result<Option<Checked>, UnknownReason> {
        let found = self.ask_rung(rung, pool, climb);
        if matches!(found, Ok(None)) && self.deadline.is_interrupted() {
            // The rung may have given up because of that.
            return Err(UnknownReason::Stopped);
        }
        let found = found.map(|found| found.and_then(|found| self.verified(rung, pool, climb, found)));
        let answered = matches!(found, Ok(Some(_)));
        let now = Instant::now();
        self.statistics.record(rung, now - climb.since, answered);
        climb.since = now;
        self.backoff.record(rung, answered, &self.options.tuning);
        // Rungs that need no query are as fast the next time.
        if let (Ok(Some(found)), Some(query)) = (&found, &climb.query)
            && rung != Rung::Cache
        {
            self.remember(query, found);
        }
        found
    }

    fn ask_rung(&mut self, rung: Rung, pool: &mut Pool, climb: &mut Climb) -> Result<Option<Finding>, UnknownReason> {
        match rung {
            Rung::Fold => return Ok(fold::decide(pool, climb.goal)),
            Rung::Slice => {
                climb.query = Some(Query::new(pool, climb.path.connected(pool, climb.goal), climb.goal));
                return Ok(None);
            }
            _ => self.valuation.copy_input(climb.current),
        }
        if rung == Rung::Known {
            return Ok(known::decide(pool, climb.path, climb.goal, &mut self.valuation));
        }
        let query = &*climb.query.get_or_insert_with(|| Query::new(pool, climb.path.conditions(), climb.goal));
        let (valuation, tuning) = (&mut self.valuation, &self.options.tuning);
        let budget = Budget::new(valuation, tuning, &self.deadline);
        Ok(match rung {
            Rung::Cache => self.cache.decide(query),
            Rung::Domains => domains::decide(pool, query, valuation, tuning, &budget),
            Rung::Intervals => intervals::decide(pool, query, valuation, tuning, &budget),
            Rung::Order => order::decide(pool, query, valuation, tuning),
            Rung::Models => self.models.decide(pool, query, valuation, tuning, &budget),
            Rung::Search => search::decide(pool, query, valuation, tuning, &budget),
            Rung::Cases => cases::decide(pool, query, valuation, tuning, &budget),
            Rung::Layers => layers::decide(pool, query, valuation, tuning, &mut self.statistics.evaluated),
            Rung::Sums => sums::decide(pool, query, valuation, tuning, &mut self.statistics.visited),
            Rung::Smt => {
                let answer = self.ask_backend(pool, query);
                // Without a model of the library, the current input is where to begin.
                let is_open = match &answer {
                    Err(UnknownReason::Native(_) | UnknownReason::WrongModel) => true,
                    Err(UnknownReason::Backend(_)) => query.native,
                    _ => false,
                };
                if is_open {
                    climb.close = Some(self.valuation.input().to_vec());
                }
                Some(answer?)
            }
            Rung::Walk => {
                let Some(close) = climb.close.take() else { return Ok(None) };
                walk::decide(pool, query, close, self.effort, &self.options, &mut self.statistics.evaluated)?
            }
            Rung::Fold | Rung::Known | Rung::Slice => None,
        })
    }

    /// Asks the SMT library. The valuation holds the current input.
    fn ask_backend(&mut self, pool: &mut Pool, query: &Query) -> Result<Finding, UnknownReason> {
        let mut deadline = self.deadline.clone().at_most(self.options.timeout);
        // The effort is counted in any case.
        let effort = self.effort.unwrap_or(u64::MAX);
        deadline = deadline.with_effort(effort);
        let smt = Smt {
            backend: &mut *self.backend,
            dump: self.dump.as_mut(),
            statistics: &mut self.statistics,
            deadline: &deadline,
            tuning: &self.options.tuning,
        };
        let answer = smt.decide(pool, query, &mut self.valuation);
        self.statistics.backend_effort += effort - deadline.effort_left().unwrap_or(0);
        match answer {
            // The last model is right except for the opaque functions, so it is a good start for a search that
            // evaluates them.
            Err(reason @ UnknownReason::Native(_)) if self.options.rungs.has(Rung::Search) => {
                let budget = Budget::new(&self.valuation, &self.options.tuning, &self.deadline);
                search::decide(pool, query, &mut self.valuation, &self.options.tuning, &budget).ok_or(reason)
            }
            Err(UnknownReason::Backend(BackendReason::Timeout)) if self.deadline.is_over() => {
                Err(UnknownReason::Stopped)
            }
            answer => answer,
        }
    }

    /// Keeps an answer for later questions.
    fn remember(&mut self, query: &Query, found: &Checked) {
        if self.options.rungs.has(Rung::Cache) {
            self.cache.insert(query, found, &self.options.tuning);
        }
        if let Checked::Sat(model) = found
            && self.options.rungs.has(Rung::Models)
        {
            self.models.insert(model, &self.options.tuning);
        }
    }

    /// Evaluates the whole question under the model of any rung. If it does not hold, the next rung is asked.
    fn verified(&mut self, rung: Rung, pool: &Pool, climb: &Climb, found: Finding) -> Option<Checked> {
        let (model, is_certain) = match found {
            Finding::Unsat(core) => return Some(Checked::Unsat(core)),
            Finding::Sat(model) => (model, true),
            Finding::Candidate(model) => (model, false),
        };
        self.valuation.set_input(with_model(climb.current, &model));
        let holds = match &climb.query {
            Some(query) => query.holds(pool, &mut self.valuation),
            None => {
                let mut conditions = climb.path.connected(pool, climb.goal);
                conditions.push(climb.goal);
                conditions.iter().all(|&condition| self.valuation.holds(pool, condition))
            }
        };
        if !holds && is_certain {
            self.statistics.wrong_models += 1;
            debug_assert!(false, "the rung {} is certain of a model that does not hold: {model:?}", rung.name());
        }
        holds.then_some(Checked::Sat(model))
    }

    /// Drops everything that refers to handles if this is not the pool of the last question.
    fn notice_pool(&mut self, pool: &Pool) {
        if self.pool.replace(pool.id()) != Some(pool.id()) {
            self.cache = Cache::default();
            self.models = Models::default();
            // Translations are dropped first, so even a backend that fails to restart gives no stale answer.
            let _ = self.backend.forget();
            if let Some(cross_check) = &mut self.cross_check {
                cross_check.forget();
            }
        }
    }
}

/// A question on its way up.
struct Climb<'a> {
    path: &'a Path,
    goal: Expr,
    current: &'a [u8],
    /// The goal with the relevant conditions; made by slicing or by the first rung that needs it.
    query: Option<Query>,
    /// An input that satisfies what the SMT library understands, if it understands only a part.
    close: Option<Vec<u8>>,
    /// When the last rung was done.
    since: Instant,
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
