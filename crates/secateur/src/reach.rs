//! `secateur reach`: an input for each target, or a proof that there is none.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use secateur_campaign::{BackwardOptions, Explorer, ReachOptions, ReachTarget};
use secateur_explore::prune::Toward;
use secateur_explore::{Goal, search};
use secateur_program::Program;
use secateur_solver::Solver;

use crate::args::{ReachArgs, RunArgs};
use crate::campaign_options::{self, file_names};
use crate::progress::Progress;
use crate::prune::Pruning;
use crate::reach_text::ReachText;
use crate::replay::warn_unconfined;
use crate::run::{self, Printing};
use crate::verify::{self, VerifyChoice};
use crate::{DONE, Failure, UNKNOWN, UNREACHABLE, console, runtime, settings};

/// How many backward steps are taken before the search goes on forwards.
const BACKWARD_STEPS: u64 = 20_000;

pub(crate) fn reach(args: ReachArgs) -> Result<u8, Failure> {
    let ReachArgs { target, error, way, unroll, max_steps, mut run } = args;
    if run.program.is_empty() {
        return Err(Failure::Input("the following required arguments were not provided: <PROGRAM>...".to_string()));
    }
    if target.is_empty() && !error {
        return Err(Failure::Input("name what to reach with --target or --error".to_string()));
    }
    run.input.unit.check(run.input.entry.as_deref()).map_err(Failure::Input)?;
    if run.input.unit.each_function {
        return Err(Failure::Input("--each-function does not work with `reach`; name one with --entry".to_string()));
    }
    run.verify = Some(VerifyChoice { keep_going: false });
    if run.exploration.prune.is_empty() {
        run.exploration.prune = vec![Pruning::Interpolation, Pruning::Invariants];
    }
    let started = Instant::now();
    let checks = settings::enabled_checks(&run.exploration.check);
    let loaded = run::load(&run, &settings::load_options(&run, &runtime::folder()?, &checks)?)?;
    let targets = targets(&loaded.program, &target, error)?;
    let printing = Printing::of(&run);
    let mut progress = Progress::new(printing != Printing::Report, false);
    let interrupted = run::stop_on_interrupt(progress.above())?;
    for warning in &loaded.warnings {
        eprintln!("secateur: {warning}");
    }
    // Whether the options make sense shows before anything is written.
    explorer(&run, &Goal::new(Vec::new(), Vec::new()), &interrupted)?;
    let make_explorer = |goal: &Goal| {
        explorer(&run, goal, &interrupted).map_err(|failure| match failure {
            Failure::Input(message) | Failure::Own(message) => message,
        })
    };
    let mut checks = checks;
    settings::add_sanitizer_checks(&run.exploration.check, &loaded.program, &mut checks);
    let options = ReachOptions {
        started,
        machine: settings::machine_options(&run, &checks)?,
        explorer: &make_explorer,
        backward: (way != "forward").then(|| BackwardOptions {
            unroll,
            max_steps: max_steps.unwrap_or(if way == "backward" { u64::MAX } else { BACKWARD_STEPS }),
        }),
        is_forward: way != "backward",
        time: run.limits.max_time,
        interrupted: Arc::clone(&interrupted),
        out: run.out.clone(),
        tests: campaign_options::out_options(&run, &loaded),
        confirm: campaign_options::confirm_options(&run)?,
        log_paths: run.output.verbose > 0,
        program: file_names(&run),
        echoed: campaign_options::echoed(&run),
        scope: verify::scope(&run, loaded.max_len, &checks),
    };
    let result = secateur_campaign::reach(loaded, targets, options, &mut progress)?;
    warn_unconfined(&result.unconfined);
    match printing {
        Printing::Nothing => {}
        Printing::Json => console::print(result.report.to_json())?,
        Printing::Report => console::print(ReachText(&result.report, &run.out))?,
    }
    if let Some(fault) = result.faults.first() {
        return Err(Failure::Own(fault.clone()));
    }
    Ok(match (result.has_unknown(), result.all_reached()) {
        (true, _) => UNKNOWN,
        (_, true) => DONE,
        _ => UNREACHABLE,
    })
}

fn targets(program: &Program, texts: &[String], error: bool) -> Result<Vec<ReachTarget>, Failure> {
    let mut targets = Vec::new();
    for text in texts {
        let target = ReachTarget::parse(program, text)
            .map_err(|problem| Failure::Input(format!("--target {text}: {problem}")))?;
        targets.push(target);
    }
    if error {
        targets.push(ReachTarget::any_error("--error"));
    }
    Ok(targets)
}

/// What explores towards a goal.
fn explorer(args: &RunArgs, goal: &Goal, interrupted: &Arc<AtomicBool>) -> Result<Explorer, Failure> {
    let mut settings = settings::exploration(args, Arc::clone(interrupted))?;
    let tuning = settings.tuning.clone();
    settings.searcher = search::in_turn(vec![search::toward(goal.clone(), &tuning), settings.searcher]);
    settings.pruners.push(Box::new(Toward::new(goal.clone())));
    for worker in &mut settings.workers {
        worker.pruners.push(Box::new(Toward::new(goal.clone())));
    }
    // Several explorations run one after another.
    settings.leave_memory = false;
    Ok(Explorer { solver: Solver::new(settings::solver_options(args)?)?, settings })
}
