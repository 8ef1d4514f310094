//! Which pending flips are dropped: one file per pruner.

mod lookahead;
mod max_call_depth;
mod toward;

pub use lookahead::Lookahead;
pub use max_call_depth::MaxCallDepth;
pub use secateur_graph::Items;
pub use toward::Toward;

use crate::flip::FlipInfo;
use crate::view::View;

/// Drops flips. It sees a summary of each, never a state.
///
/// ```
/// # use secateur_explore::{FlipInfo, Settings, Tuning, View, explore, search};
/// # use secateur_machine::{Machine, Options};
/// # use secateur_solver::Solver;
/// use secateur_explore::prune::Pruner;
///
/// /// Drops all flips after this many decisions.
/// struct MaxDecisions(u32);
///
/// impl Pruner for MaxDecisions {
///     fn name(&self) -> &'static str {
///         "max-decisions"
///     }
///
///     fn prunes(&mut self, info: &FlipInfo, _view: &mut View<'_>) -> bool {
///         info.depth >= self.0
///     }
/// }
///
/// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
/// # let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/one_branch.rs"));
/// # let mut machine = Machine::new(program, Options::default());
/// # let mut solver = Solver::new(Default::default()).unwrap();
/// # let searcher = search::by_name("dfs", 0, &Tuning::default()).unwrap();
/// let settings = Settings { pruners: vec![Box::new(MaxDecisions(0))], ..Settings::new(searcher) };
/// let Ok(result) = explore(&mut machine, &mut solver, settings, &mut ());
/// assert_eq!((result.counters.completed, result.counters.pruned["max-decisions"]), (1, 1));
/// assert!(!result.counters.is_complete());
/// ```
pub trait Pruner: Send {
    /// Its name on the command line and in the summary.
    fn name(&self) -> &'static str;

    /// Whether what it drops can add neither coverage nor a bug, so that a run can be complete with it.
    fn is_lossless(&self) -> bool {
        false
    }

    /// Whether the flip is dropped. Called when it is found, and again when it is about to be tried.
    fn prunes(&mut self, info: &FlipInfo, view: &mut View<'_>) -> bool;
}
