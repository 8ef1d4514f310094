//! The summary of a campaign, from what the crates have counted.

use std::collections::BTreeMap;

use secateur_explore::{Counters, RunResult, StopReason, peak_memory};
use secateur_program::Program;
use secateur_solver::{Rung, Statistics};
use secateur_suite::summary::{BugEntry, GivenUp, Paths, RungSummary, SolverSummary};
use secateur_suite::{OutDir, Summary};

use crate::place::file_line;

/// What the exploration counted. The caller adds the rest.
pub(crate) fn of_exploration(out: &OutDir, program: &Program, explored: &RunResult, solver: &Statistics) -> Summary {
    let counters = &explored.counters;
    Summary {
        stopped: explored.reason.name().to_string(),
        // Paths that run after a limit was hit leave no flips behind: nothing may be pending although paths are
        // missing.
        complete: explored.reason == StopReason::Finished && counters.is_complete(),
        given_up: given_up(program, counters),
        paths: paths(counters),
        tests: out.tests(),
        bugs: out.bugs().iter().map(BugEntry::from).collect(),
        solver: solver_summary(solver, counters),
        peak_memory: peak_memory(),
        expressions: explored.expressions,
        tree_nodes: counters.tree_nodes,
        ..Summary::default()
    }
}

fn paths(counters: &Counters) -> Paths {
    Paths {
        completed: counters.completed,
        pruned: counters.pruned.iter().map(|(name, count)| (name.to_string(), *count)).collect(),
        infeasible: counters.infeasible + counters.refuted,
        unsupported: counters.unsupported,
        assumed: counters.assumed,
        subsumed: counters.subsumed,
        ignored: counters.ignored,
        ignored_sides: counters.ignored_sides,
        limited: counters.limited,
        unknown: counters.unknown,
        pending: counters.pending,
    }
}

fn given_up(program: &Program, counters: &Counters) -> Vec<GivenUp> {
    // Users see lines, so the places of a line are added up; a path that gave up at two of them counts twice.
    let mut lines: BTreeMap<_, u64> = BTreeMap::new();
    for ((what, loc), paths) in &counters.given_up {
        *lines.entry((*what, file_line(program, *loc))).or_default() += paths;
    }
    let entries =
        lines.into_iter().map(|((what, (file, line)), paths)| GivenUp { why: what.to_string(), file, line, paths });
    entries.collect()
}

fn solver_summary(solver: &Statistics, counters: &Counters) -> SolverSummary {
    SolverSummary {
        queries: solver.queries,
        answered: Rung::ALL.iter().map(|rung| (rung.name().to_string(), solver.rung(*rung).answered)).collect(),
        refuted_by_path: counters.refuted,
        wrong_models: solver.wrong_models,
        time: Some(solver.time().as_secs_f64()),
        rungs: Rung::ALL.iter().map(|rung| rung_summary(*rung, solver)).collect(),
    }
}

fn rung_summary(rung: Rung, solver: &Statistics) -> RungSummary {
    let counts = solver.rung(rung);
    RungSummary {
        name: rung.name().to_string(),
        asked: counts.asked,
        answered: counts.answered,
        time: Some(counts.time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use secateur_machine::GivenUp as GivenUpKind;
    use secateur_program::LocId;

    use super::*;
    use crate::place::tests::program;

    #[test]
    fn places_of_one_line_are_given_up_together() {
        let what = GivenUpKind::Pointer;
        let counters = Counters {
            given_up: [((what, LocId(1)), 2), ((what, LocId(2)), 3), ((what, LocId(3)), 1)].into(),
            ..Counters::default()
        };
        let lines: Vec<_> = given_up(&program(), &counters).iter().map(|entry| (entry.line, entry.paths)).collect();
        assert_eq!(lines, [(5, 5), (9, 1)]);
    }
}
