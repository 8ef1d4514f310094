//! `secateur cluster`: a run that other processes work for, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use secateur_cluster::{ClusterError, Collector, Manifest, Run, RunOptions, Server, ServerOptions, wire::RunState};
use secateur_program::GivenFile;
use secateur_program::{Loaded, Program};
use secateur_suite::Summary;

use crate::args::{Cli, Command, RunArgs};
use crate::cluster_args::{
    BeginArgs, ClusterCommand, ClusterRunArgs, ClusterVerifyArgs, OneRunArgs, ResumeArgs, ServerArgs,
};
use crate::progress::Progress;
use crate::prune::Pruning;
use crate::run::{Collected, Printing, Session, stop_on_interrupt};
use crate::worker::Explored;
use crate::{BUG_FOUND, DONE, Failure, cluster_text, console, prune, run, runtime, settings, verify};

/// As large as that of a main thread usually is: expressions can be deep.
const STACK: usize = 8 << 20;

pub(crate) fn cluster(command: ClusterCommand) -> Result<u8, Failure> {
    match command {
        ClusterCommand::Run(args) => {
            let ClusterRunArgs { server, begin, explored } = *args;
            begin_run(explored, &server, begin)
        }
        ClusterCommand::Verify(args) => {
            let ClusterVerifyArgs { server, begin, verified } = *args;
            begin_run(verify::options_of_run(verified), &server, begin)
        }
        ClusterCommand::Resume(args) => resume(&args),
        ClusterCommand::Status(args) => cluster_text::status(&connect(&args.server, |_| {})?),
        ClusterCommand::Stop(args) => stop(&args),
        ClusterCommand::Gc(args) => remove(&args),
    }
}

/// Connects with the server.
pub(crate) fn connect(
    args: &ServerArgs,
    say: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Arc<Server>, ClusterError> {
    let options = ServerOptions {
        url: args.nats.clone(),
        creds: args.creds.clone(),
        token: args.token.clone().or_else(|| std::env::var("NATS_TOKEN").ok()),
        tls_ca: args.tls_ca.clone(),
        tls_identity: args.tls_cert.clone().zip(args.tls_key.clone()),
    };
    Server::connect(&options, say)
}

fn begin_run(args: RunArgs, server_args: &ServerArgs, begin: BeginArgs) -> Result<u8, Failure> {
    refuse(&args)?;
    if begin.lease < Duration::from_secs(1) {
        return Err(Failure::Input("--lease: a worker cannot answer that often; give at least 1s".to_string()));
    }
    args.input.unit.check(args.input.entry.as_deref()).map_err(Failure::Input)?;
    // Nothing is compiled for a server that does not answer. Loading starts child processes, which must not inherit the
    // threads of a connection.
    drop(connect(server_args, |_| {})?);
    let started = Instant::now();
    let checks = settings::enabled_checks(&args.exploration.check);
    let loaded = run::load(&args, &settings::load_options(&args, &runtime::folder()?, &checks)?)?;
    let printing = Printing::of(&args);
    let progress = Progress::new(printing != Printing::Report, args.output.show_output);
    let above = progress.above();
    let interrupted = stop_on_interrupt(progress.above())?;
    let server = connect(server_args, move |sentence| above.say(&format!("secateur: {sentence}")))?;
    let arguments = std::env::args_os().skip(1).map(|argument| {
        let text = argument.into_string();
        text.map_err(|argument| Failure::Input(format!("{}: this is no text", argument.display())))
    });
    let arguments = without_server(arguments.collect::<Result<_, _>>()?);
    let environment = settings::machine_options(&args, &checks)?.environment;
    let id = begin.run_name.unwrap_or_else(|| name_of(&args));
    let options =
        RunOptions { id: id.clone(), program: run::names(&args), lease: begin.lease, max_bytes: begin.max_stream };
    let program = Arc::new(loaded.program.clone());
    let seeds = settings::seeds(&args, loaded.max_len);
    let seeds = seeds.map_or(Ok(Vec::new()), |options| secateur_campaign::seed_inputs(&options, &environment))?;
    let run = Run::create(&server, &options, Manifest::encode(&arguments, &loaded, &environment, &seeds))?;
    let session = Session { started, interrupted, progress, printing, beginning: None, journal: None };
    let begun = Begun { loaded, given: environment.given, seeds, program, run, collect_only: begin.collect_only };
    let collected = collect(&args, &server, begun, session);
    if collected.is_err() {
        // Nothing has come of it.
        let _ = secateur_cluster::remove(&server, &id);
    }
    finish(&args, &id, &collected?)
}

fn resume(resumed: &ResumeArgs) -> Result<u8, Failure> {
    let started = Instant::now();
    let progress = Progress::new(resumed.quiet, false);
    let above = progress.above();
    let interrupted = stop_on_interrupt(progress.above())?;
    let server = connect(&resumed.server, move |sentence| above.say(&format!("secateur: {sentence}")))?;
    let (run, _) = Run::find(&server, resumed.run_name.as_deref(), Some(RunState::Stopped))?;
    let mut manifest = run.manifest()?;
    let mut args = arguments_of(&manifest)?;
    args.out = resumed.out.clone();
    // Limits that ended the run before do not end it again.
    args.limits.max_time = resumed.max_time;
    args.limits.max_paths = None;
    args.exploration.jobs = resumed.jobs;
    args.output.quiet |= resumed.quiet;
    // The files and the seeds are those that the run began with.
    args.input.files.clear();
    args.input.seeds = None;
    let seeds = std::mem::take(&mut manifest.seeds);
    let program = Arc::new(manifest.loaded.program.clone());
    let id = run.id.clone();
    let printing = Printing::of(&args);
    let session = Session { started, interrupted, progress, printing, beginning: None, journal: None };
    let (given, loaded) = (manifest.given(), manifest.loaded);
    let begun = Begun { loaded, given, seeds, program, run, collect_only: resumed.collect_only };
    let summary = collect(&args, &server, begun, session)?;
    finish(&args, &id, &summary)
}

/// A run that has begun on a server.
struct Begun {
    loaded: Loaded,
    /// The files that the program finds.
    given: Vec<GivenFile>,
    /// The inputs that are followed first.
    seeds: Vec<Vec<u8>>,
    program: Arc<Program>,
    run: Run,
    collect_only: bool,
}

/// Collects what workers find, and works as one of them unless it only collects.
fn collect(args: &RunArgs, server: &Arc<Server>, begun: Begun, session: Session) -> Result<Summary, Failure> {
    let Begun { loaded, given, seeds, program, run, collect_only } = begun;
    let program = &program;
    let quit = Arc::new(AtomicBool::new(false));
    let explored = Explored::of(args, &loaded, given.clone())?;
    let own = if collect_only { None } else { Some(Run::open(server, &run.id)?.0) };
    // Nobody explores before the output folder is known to be ours.
    let (begin, begun) = channel();
    let mut collector = Collector::new(run, Arc::clone(program), move || {
        // Nobody waits if this process only collects.
        let _ = begin.send(());
    })?;
    if args.verify.is_some() && prune::chosen(args).contains(&Pruning::Interpolation) {
        session.progress.above().say(
            "secateur: workers of a cluster do not share interpolants; each learns them for the tasks that it explores",
        );
    }
    thread::scope(|scope| {
        let explorer = own.map(|own| {
            let (quit, explored) = (Arc::clone(&quit), &explored);
            let explorer = thread::Builder::new().name("explorer".to_string()).stack_size(STACK);
            explorer.spawn_scoped(scope, move || match begun.recv() {
                Ok(()) => explored.work(own, program, seeds, &quit, &|_| {}),
                Err(_) => Ok(()),
            })
        });
        let explorer = explorer.transpose()?;
        let collected = Collected { steps: &mut collector, given };
        let summary = run::explore(args, loaded, session, Some(collected));
        quit.store(true, Ordering::Relaxed);
        drop(collector);
        if let Some(explorer) = explorer
            && explorer.join().is_err()
        {
            return Err(Failure::Own("the worker of this process has panicked".to_string()));
        }
        summary
    })
}

fn finish(args: &RunArgs, id: &str, summary: &Summary) -> Result<u8, Failure> {
    if summary.stopped != "finished" && Printing::of(args) == Printing::Report {
        console::print(format_args!("  continue  secateur cluster resume --run {id}\n"))?;
    }
    Ok(match summary.verdict {
        Some(verdict) => verify::exit_code(verdict),
        None if summary.bugs.is_empty() => DONE,
        None => BUG_FOUND,
    })
}

/// What a cluster cannot do, each with a sentence.
fn refuse(args: &RunArgs) -> Result<(), Failure> {
    let refused = [
        (args.learn.learn, "--learn", "each of its rounds starts from what one process has learned in the last one"),
        (args.input.unit.each_function, "--each-function", "start a run for each function with --entry"),
        (
            args.exploration.native_share.is_some_and(|share| share > 0),
            "--native-share",
            "workers never run the program natively",
        ),
        (args.resume.is_some(), "--resume", "use `secateur cluster resume`"),
    ];
    match refused.iter().find(|(is_given, ..)| *is_given) {
        Some((_, option, what)) => Err(Failure::Input(format!("{option} cannot be used in a cluster: {what}"))),
        None => Ok(()),
    }
}

/// A command line without where the server is and who we are: it is stored there, and workers have their own.
fn without_server(arguments: Vec<String>) -> Vec<String> {
    const OPTIONS: [&str; 6] = ["--nats", "--creds", "--token", "--tls-ca", "--tls-cert", "--tls-key"];
    let mut kept = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let name = argument.split('=').next().unwrap_or_default();
        if !OPTIONS.contains(&name) {
            kept.push(argument);
        } else if name == argument {
            arguments.next();
        }
    }
    kept
}

/// A name for a run that no other has.
fn name_of(args: &RunArgs) -> String {
    let name: String = settings::program_name(args).chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let number = since.as_millis() as u64 ^ u64::from(std::process::id()) << 20;
    format!("{}-{:06x}", if name.is_empty() { "run" } else { &name }, number & 0xff_ffff)
}

/// The arguments that a run began with.
pub(crate) fn arguments_of(manifest: &Manifest) -> Result<RunArgs, Failure> {
    let given = std::iter::once("secateur".to_string()).chain(manifest.arguments.iter().cloned());
    let no_run = || Failure::Input("this is no run of `secateur cluster`".to_string());
    match Cli::read_from(given).map_err(|_| no_run())?.command {
        Command::Cluster(args) => match args.command {
            ClusterCommand::Run(args) => Ok(args.explored),
            ClusterCommand::Verify(args) => Ok(verify::options_of_run(args.verified)),
            _ => Err(no_run()),
        },
        _ => Err(no_run()),
    }
}

fn stop(args: &OneRunArgs) -> Result<u8, Failure> {
    let server = connect(&args.server, |_| {})?;
    let (run, _) = Run::find(&server, args.run_name.as_deref(), Some(RunState::Running))?;
    if run.state()? == RunState::Finished {
        return Err(Failure::Input(format!("the run `{}` has finished", run.id)));
    }
    run.set_state(RunState::Stopped)?;
    console::print(format_args!("{} stops; to go on: secateur cluster resume --run {}\n", run.id, run.id))?;
    Ok(DONE)
}

fn remove(args: &OneRunArgs) -> Result<u8, Failure> {
    let server = connect(&args.server, |_| {})?;
    let ids = match &args.run_name {
        Some(id) => vec![id.clone()],
        None => {
            let finished = |(id, record): (String, Result<secateur_cluster::wire::RunRecord, _>)| {
                record.is_ok_and(|record| record.state == RunState::Finished).then_some(id)
            };
            secateur_cluster::list(&server)?.into_iter().filter_map(finished).collect()
        }
    };
    for id in &ids {
        secateur_cluster::remove(&server, id)?;
        console::print(format_args!("{id} is removed\n"))?;
    }
    if ids.is_empty() {
        console::print("there is no finished run; --run NAME removes any\n")?;
    }
    Ok(DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_not_stored() {
        let given =
            ["cluster", "run", "--token", "secret", "a.c", "--creds=me.creds", "--nats", "nats://h", "--jobs", "1"];
        let kept = without_server(given.iter().map(ToString::to_string).collect());
        assert_eq!(kept, ["cluster", "run", "a.c", "--jobs", "1"]);
    }
}
