//! Inputs from outside of the search, such as seeds: they are followed before the next flip is tried.
//!
//! The first worker asks the source. With several workers, each follows every input: where it takes a pending flip,
//! that flip is pending at one of them only.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Supplies inputs.
///
/// ```
/// # use secateur_explore::{Settings, Tuning, explore, search};
/// # use secateur_machine::{Machine, Options};
/// # use secateur_solver::Solver;
/// use std::sync::Arc;
/// use secateur_explore::{Input, InputSource};
///
/// /// Follows these inputs, the last one first.
/// struct Given(Vec<Vec<u8>>);
///
/// impl InputSource for Given {
///     fn next(&mut self, _found: &[Arc<[u8]>]) -> Option<Input> {
///         Some(Input { bytes: self.0.pop()?.into(), from: "seed" })
///     }
/// }
///
/// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
/// # let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/one_branch.rs"));
/// # let mut machine = Machine::new(program, Options::default());
/// # let mut solver = Solver::new(Default::default()).unwrap();
/// # let searcher = search::by_name("dfs", 0, &Tuning::default()).unwrap();
/// let settings = Settings { inputs: Some(Box::new(Given(vec![vec![7], vec![9]]))), ..Settings::new(searcher) };
/// let Ok(result) = explore(&mut machine, &mut solver, settings, &mut ());
/// // The input 9 is on the path of the first input, 0; the solver is not asked for 7.
/// assert_eq!((result.counters.completed, result.counters.inputs_followed["seed"]), (2, 1));
/// assert_eq!(solver.statistics().queries, 0);
/// ```
pub trait InputSource: Send {
    /// The next input to follow, or `None` if there is none at the moment. It is asked before every flip, so it must be
    /// quick when there is nothing to do. `found` are the inputs of paths that covered something new since it was last
    /// asked.
    fn next(&mut self, found: &[Arc<[u8]>]) -> Option<Input>;
}

/// An input that no flip was solved for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// Where it comes from, for [`Counters::inputs_followed`](crate::Counters::inputs_followed).
    pub from: &'static str,
}

/// An input that was run to see what it does, and is to be followed.
pub(crate) struct SeenInput {
    pub input: Input,
    /// Whether it was the first to cover something.
    pub covers_new: bool,
}

/// The source of a run and what the workers share of it.
pub(crate) struct Inputs {
    source: Mutex<Box<dyn InputSource>>,
    /// The inputs of paths that covered something new, for the source.
    found: Mutex<Vec<Arc<[u8]>>>,
    /// Every input that the source has supplied, if there are several workers.
    supplied: Mutex<Vec<Input>>,
    /// How many there are, to be read often.
    count: AtomicUsize,
    is_shared: bool,
}

impl Inputs {
    pub(crate) fn new(source: Box<dyn InputSource>, workers: usize) -> Inputs {
        Inputs {
            source: Mutex::new(source),
            found: Mutex::default(),
            supplied: Mutex::default(),
            count: AtomicUsize::new(0),
            is_shared: workers > 1,
        }
    }

    /// The source, for another round.
    pub(crate) fn into_source(self) -> Box<dyn InputSource> {
        self.source.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many inputs were supplied to all workers. One that starts now needs none of them: the worker that has given
    /// it flips has followed them before.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// The next input from the source itself, for the first worker.
    pub(crate) fn ask(&self) -> Option<Input> {
        let found = std::mem::take(&mut *lock(&self.found));
        let input = lock(&self.source).next(&found)?;
        if self.is_shared {
            let mut supplied = lock(&self.supplied);
            supplied.push(input.clone());
            self.count.store(supplied.len(), Ordering::Relaxed);
        }
        Some(input)
    }

    /// The input with this number that the first worker got, for the others.
    pub(crate) fn supplied(&self, number: usize) -> Option<Input> {
        if number >= self.count() {
            return None;
        }
        lock(&self.supplied).get(number).cloned()
    }

    /// A path with this input has covered something new.
    pub(crate) fn found(&self, input: &[u8]) {
        lock(&self.found).push(input.into());
    }
}

/// No change to what is protected is interrupted by a panic, except in a source, which then ends the run.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
