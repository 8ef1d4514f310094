//! A worker: explores tasks of a run until the run is over.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use secateur_campaign::{Contribution, Work, contribute};
use secateur_explore::{Continued, Limits, Remote, StopReason};
use secateur_program::Program;

use crate::error::ClusterError;
use crate::run::Run;
use crate::tuning::Tuning;
use crate::uplink::Uplink;
use crate::wire::WorkerStatus;

/// What a worker works on.
pub struct Assignment {
    /// The run.
    pub run: Run,
    /// Its program.
    pub program: Arc<Program>,
    /// Inputs to follow first. All lead away from the first path, so only the first task has use for them.
    pub seeds: Vec<Vec<u8>>,
    /// How many threads explore.
    pub jobs: u32,
    /// Numbers for measurements.
    pub tuning: Tuning,
}

/// Works for a run until it is over or `quit` is set. `make` says how to explore: where to begin and for whom is added
/// here. `show` is told now and then how far the worker is.
pub fn work(
    assignment: Assignment,
    quit: &Arc<AtomicBool>,
    show: &(dyn Fn(&WorkerStatus) + Sync),
    mut make: impl FnMut(Arc<AtomicBool>) -> Result<Contribution, String>,
) -> Result<(), ClusterError> {
    let Assignment { run, program, seeds, jobs, tuning } = assignment;
    let uplink = Uplink::new(run, program, jobs, Arc::clone(quit), tuning)?;
    thread::scope(|scope| {
        let sender = thread::Builder::new().name("sender".to_string());
        let sender = sender.spawn_scoped(scope, || uplink.send(show));
        sender.map_err(|error| ClusterError::Server(error.to_string()))?;
        let mut done = Work::default();
        let worked = explore(&uplink, &seeds, &mut make, &mut done);
        if let Err(problem) = &worked {
            uplink.report_problem(problem);
        }
        uplink.close(done);
        worked
    })
}

fn explore(
    uplink: &Arc<Uplink>,
    seeds: &[Vec<u8>],
    make: &mut impl FnMut(Arc<AtomicBool>) -> Result<Contribution, String>,
    done: &mut Work,
) -> Result<(), ClusterError> {
    while let Some(items) = uplink.first_items()? {
        let (interrupted, paths) = uplink.begin_exploration();
        let mut contribution = make(interrupted).map_err(ClusterError::Setup)?;
        if uplink.has_first_task() {
            contribution.follow(seeds);
        }
        let exploration = &mut contribution.exploration;
        exploration.continued = Some(Continued { items, paths });
        exploration.remote = Some(Arc::clone(uplink) as Arc<dyn Remote>);
        // Those of the run are up to whoever collects.
        exploration.limits = Limits { time: None, paths: None, ..exploration.limits.clone() };
        exploration.grace = Duration::ZERO;
        exploration.leave_memory = false;
        let (result, work) = contribute(contribution, uplink.as_ref());
        done.instructions += work.instructions;
        done.expressions += work.expressions;
        done.solver += &work.solver;
        uplink.end_exploration(result.counters, result.reason == StopReason::Memory)?;
    }
    Ok(())
}
