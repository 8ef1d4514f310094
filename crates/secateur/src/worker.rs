//! `secateur worker`: explores for the runs on a NATS server.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_campaign::{CTestsTuning, Contribution, Keep};
use secateur_cluster::wire::{RunState, WorkerStatus};
use secateur_cluster::{Assignment, ClusterError, Run};
use secateur_machine::BugKind;
use secateur_program::GivenFile;
use secateur_program::{Loaded, Program, Unit};
use secateur_solver::Solver;

use crate::args::RunArgs;
use crate::cluster::{arguments_of, connect};
use crate::cluster_args::WorkerArgs;
use crate::progress::Progress;
use crate::run::stop_on_interrupt;
use crate::{DONE, Failure, campaign_options, settings, text};

/// How long to wait before looking for another run.
const PAUSE: Duration = Duration::from_millis(300);

/// How often a worker says how far it is.
const INTERVAL: Duration = Duration::from_secs(10);

pub(crate) fn worker(args: &WorkerArgs) -> Result<u8, Failure> {
    let above = Progress::new(args.quiet, false).above();
    let quit = stop_on_interrupt(above.clone())?;
    let (quiet, above) = (args.quiet, above);
    let say = move |sentence: &str| {
        if !quiet {
            above.say(&format!("secateur: {sentence}"));
        }
    };
    let server = connect(&args.server, say.clone())?;
    if let Some(id) = &args.run_name {
        Run::open(&server, id)?;
    } else {
        say(&format!("waiting for runs on {}", args.server.nats));
    }
    let mut unfit = BTreeSet::new();
    while !quit.load(Ordering::Relaxed) {
        let runs = match secateur_cluster::list(&server) {
            Ok(runs) => runs,
            Err(_) => {
                std::thread::sleep(PAUSE);
                continue;
            }
        };
        let is_wanted = |id: &str| args.run_name.as_ref().is_none_or(|wanted| wanted == id);
        let next = runs.into_iter().find(|(id, record)| {
            let runs = record.as_ref().is_ok_and(|record| record.state == RunState::Running);
            runs && is_wanted(id) && !unfit.contains(id)
        });
        let Some((id, _)) = next else {
            std::thread::sleep(PAUSE);
            continue;
        };
        match work_for(args, &server, &id, &quit, &say) {
            Ok(()) => say(&format!("done with {id}")),
            // Removed in the meantime.
            Err(Failure::Input(_)) if matches!(Run::open(&server, &id), Err(ClusterError::UnknownRun(_))) => {}
            Err(Failure::Input(problem)) if args.run_name.is_none() && !args.once => {
                eprintln!("secateur: {problem}");
                unfit.insert(id);
            }
            Err(problem) => return Err(problem),
        }
        if args.once {
            break;
        }
    }
    Ok(DONE)
}

fn work_for(
    args: &WorkerArgs,
    server: &Arc<secateur_cluster::Server>,
    id: &str,
    quit: &Arc<AtomicBool>,
    say: &(impl Fn(&str) + Send + Sync),
) -> Result<(), Failure> {
    let (run, record) = Run::open(server, id)?;
    let mut manifest = run.manifest()?;
    let mut run_args = arguments_of(&manifest)?;
    run_args.exploration.jobs = args.jobs;
    run_args.limits.max_memory = args.max_memory;
    run_args.limits.snapshot_memory = None;
    // These are on another machine, and come with the run.
    run_args.input.files.clear();
    say(&format!("working for {id}: {}", record.program));
    let explored = Explored::of(&run_args, &manifest.loaded, manifest.given())?;
    let seeds = std::mem::take(&mut manifest.seeds);
    let (program, _) = manifest.take();
    let last = std::sync::Mutex::new(Instant::now());
    let show = |status: &WorkerStatus| {
        let Ok(mut last) = last.lock() else { return };
        if last.elapsed() >= INTERVAL {
            *last = Instant::now();
            let pending = match status.pending {
                Some(pending) => format!("{} pending", text::grouped(pending)),
                None => "waiting for a task".to_string(),
            };
            let (paths, memory) = (text::count(status.paths, "path"), text::size(status.memory));
            say(&format!("{paths} ({}/s), {pending}, {memory}", text::grouped(status.rate)));
        }
    };
    explored.work(run, &program, seeds, quit, &show)
}

/// How a program is explored by a worker.
pub(crate) struct Explored<'a> {
    args: &'a RunArgs,
    checks: Vec<BugKind>,
    keep: Keep,
    function: Option<(Unit, CTestsTuning)>,
    given: Vec<GivenFile>,
}

impl Explored<'_> {
    /// With these arguments. `given` are the files that the program finds.
    pub(crate) fn of<'a>(args: &'a RunArgs, loaded: &Loaded, given: Vec<GivenFile>) -> Result<Explored<'a>, Failure> {
        let mut checks = settings::enabled_checks(&args.exploration.check);
        settings::add_sanitizer_checks(&args.exploration.check, &loaded.program, &mut checks);
        let keep = campaign_options::keep(args);
        let unit = loaded.unit.clone().filter(|_| keep != Keep::Nothing);
        let tuning = settings::tuning(args)?.c_tests;
        Ok(Explored { args, checks, keep, function: unit.map(|unit| (unit, tuning)), given })
    }

    /// Works for a run until it is over.
    pub(crate) fn work(
        &self,
        run: Run,
        program: &Arc<Program>,
        seeds: Vec<Vec<u8>>,
        quit: &Arc<AtomicBool>,
        show: &(dyn Fn(&WorkerStatus) + Sync),
    ) -> Result<(), Failure> {
        let make = |interrupted| {
            self.contribution(program, interrupted).map_err(|failure| match failure {
                Failure::Input(sentence) | Failure::Own(sentence) => sentence,
            })
        };
        let jobs = settings::jobs(self.args).into();
        let tuning = settings::tuning(self.args)?.cluster;
        let assignment = Assignment { run, program: Arc::clone(program), seeds, jobs, tuning };
        Ok(secateur_cluster::work(assignment, quit, show, make)?)
    }

    fn contribution(&self, program: &Arc<Program>, interrupted: Arc<AtomicBool>) -> Result<Contribution, Failure> {
        let mut machine = settings::machine_options(self.args, &self.checks)?;
        machine.environment.given = self.given.clone();
        Ok(Contribution {
            program: Arc::clone(program),
            machine,
            solver: Solver::new(settings::solver_options(self.args)?)?,
            exploration: settings::exploration(self.args, interrupted)?,
            keep: self.keep,
            function: self.function.clone(),
            wants_output: self.args.output.show_output,
        })
    }
}
