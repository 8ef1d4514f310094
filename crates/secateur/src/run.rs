//! `secateur run`: explores a program and writes what it finds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use secateur_campaign::{Beginning, Journal, Options, Steps};
use secateur_program::GivenFile;
use secateur_program::{LoadError, LoadOptions, Loaded};
use secateur_suite::Summary;

use crate::args::RunArgs;
use crate::campaign_options::{self, file_names};
use crate::progress::{Above, Progress};
use crate::replay::warn_unconfined;
use crate::summary_text::SummaryText;
use crate::tuning::Tuning;
use crate::verify_text::VerdictText;
use crate::{BUG_FOUND, DONE, Failure, console, each_function, resume, runtime, settings, verify};

pub(crate) fn run(args: RunArgs) -> Result<u8, Failure> {
    if args.exploration.tune.iter().any(|setting| setting == "help") {
        console::print(Tuning::default().help())?;
        return Ok(DONE);
    }
    if let Some(out) = &args.resume {
        return resume::resume(out);
    }
    start(args, None)
}

/// Starts a run, or continues the one that has left this journal.
pub(crate) fn start(args: RunArgs, journal: Option<Journal>) -> Result<u8, Failure> {
    if args.program.is_empty() {
        return Err(Failure::Input("the following required arguments were not provided: <PROGRAM>...".to_string()));
    }
    args.input.unit.check(args.input.entry.as_deref()).map_err(Failure::Input)?;
    if args.input.unit.each_function {
        return each_function::run(args, stop_on_interrupt(Progress::new(true, false).above())?);
    }
    let started = Instant::now();
    let checks = settings::enabled_checks(&args.exploration.check);
    let load_options = settings::load_options(&args, &runtime::folder()?, &checks)?;
    let loaded = load(&args, &load_options)?;
    let printing = Printing::of(&args);
    let progress = Progress::new(printing != Printing::Report, args.output.show_output);
    let interrupted = stop_on_interrupt(progress.above())?;
    // Rounds that learn start over from the beginning of the tree, which a journal does not follow.
    if args.learn.learn && journal.is_some() {
        return Err(Failure::Input("a run that is continued cannot use --learn; start a new one".to_string()));
    }
    let is_kept = !args.output.no_resume && !args.learn.learn;
    let beginning = is_kept.then(resume::beginning).flatten();
    let session = Session { started, interrupted, progress, printing, beginning, journal };
    let summary = explore(&args, loaded, session, None)?;
    Ok(match summary.verdict {
        Some(verdict) => verify::exit_code(verdict),
        None if summary.bugs.is_empty() => DONE,
        None => BUG_FOUND,
    })
}

/// Loads the program.
pub(crate) fn load(args: &RunArgs, options: &LoadOptions) -> Result<Loaded, Failure> {
    secateur_program::load(options).map_err(|error| match error {
        LoadError::NoEntry => Failure::Input(format!("{}: {error}; name one with --entry", file_names(args).join(" "))),
        error => Failure::from(error),
    })
}

/// The files of the program as one text.
pub(crate) fn names(args: &RunArgs) -> String {
    file_names(args).join(" ")
}

/// What a run prints at its end, besides errors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Printing {
    Nothing,
    Report,
    Json,
}

impl Printing {
    pub(crate) fn of(args: &RunArgs) -> Printing {
        match (args.output.json, args.output.quiet) {
            (true, _) => Printing::Json,
            (_, true) => Printing::Nothing,
            _ => Printing::Report,
        }
    }
}

/// How a run interacts with the user.
pub(crate) struct Session {
    /// When the loading of the program began.
    pub started: Instant,
    /// Set when the user wants the run to stop.
    pub interrupted: Arc<AtomicBool>,
    pub progress: Progress,
    pub printing: Printing,
    /// How the run begins, if it is kept so that it can be continued.
    pub beginning: Option<Beginning>,
    /// The run to continue, if it is one.
    pub journal: Option<Journal>,
}

/// What others find.
pub(crate) struct Collected<'a> {
    pub steps: &'a mut dyn Steps,
    /// The files that the program finds.
    pub given: Vec<GivenFile>,
}

/// Explores a loaded program, or collects what others find, and prints the result.
pub(crate) fn explore(
    args: &RunArgs,
    loaded: Loaded,
    session: Session,
    collected: Option<Collected<'_>>,
) -> Result<Summary, Failure> {
    let Session { started, interrupted, mut progress, printing, beginning, journal } = session;
    let options = campaign_options::options(args, &loaded, started, interrupted)?;
    let mut options = Options { beginning, journal, ..options };
    if let Some(Collected { steps, given }) = collected {
        options.steps = Some(steps);
        options.machine.environment.given = given;
    }
    for warning in &loaded.warnings {
        eprintln!("secateur: {warning}");
    }
    let loading = started.elapsed();
    if args.limits.max_time.is_some_and(|limit| loading >= limit) {
        let seconds = loading.as_secs_f64();
        eprintln!("secateur: compiling and loading took {seconds:.1} s, so --max-time leaves only --grace to explore");
    }
    let result = secateur_campaign::run(loaded, options, &mut progress)?;
    warn_unconfined(&result.unconfined);
    match printing {
        Printing::Nothing => {}
        Printing::Json => console::print(result.summary.to_json())?,
        Printing::Report => {
            console::print(SummaryText(&result))?;
            if result.summary.verdict.is_some() {
                console::print(VerdictText(&result.summary))?;
            }
        }
    }
    match result.fault {
        Some(fault) => Err(Failure::Own(fault.to_string())),
        None => Ok(result.summary),
    }
}

/// Ctrl-C once stops the run and writes everything; twice ends the process at once.
pub(crate) fn stop_on_interrupt(above: Above) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        above.say("secateur: stopping; press Ctrl-C again to give up at once");
    })
    .map_err(|error| Failure::Own(format!("cannot handle Ctrl-C: {error}")))?;
    Ok(interrupted)
}
