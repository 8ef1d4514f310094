//! The options of a campaign, from the arguments of `secateur run`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use secateur_campaign::{Keep, NativeHelp, Options, Sources};
use secateur_explore::Plan;
use secateur_machine::Uninit;
use secateur_program::Loaded;
use secateur_solver::Solver;
use secateur_suite::replay::ReplayOptions;
use secateur_suite::{Format, OutOptions, testcomp};
use sha2::{Digest, Sha256};

use crate::args::RunArgs;
use crate::tuning::Tuning;
use crate::{Failure, learn_args, prune, runtime, settings, verify};

/// How much of the time mutated inputs of a libFuzzer harness run natively, in per cent.
const DEFAULT_NATIVE_SHARE: u32 = 50;

/// How a loaded program is explored. `interrupted` is set when the user wants it to stop.
pub(crate) fn options<'a>(
    args: &'a RunArgs,
    loaded: &Loaded,
    started: Instant,
    interrupted: Arc<AtomicBool>,
) -> Result<Options<'a>, Failure> {
    let mut checks = settings::enabled_checks(&args.exploration.check);
    settings::add_sanitizer_checks(&args.exploration.check, &loaded.program, &mut checks);
    let tuning = settings::tuning(args)?;
    let flag = Arc::clone(&interrupted);
    let make_round = move |plan: &Plan| settings::round(args, Arc::clone(&flag), plan);
    Ok(Options {
        started,
        machine: settings::machine_options(args, &checks)?,
        solver: Solver::new(settings::solver_options(args)?)?,
        exploration: settings::exploration(args, interrupted)?,
        learning: learn_args::learning(args, &loaded.program, make_round)?,
        steps: None,
        seeds: settings::seeds(args, loaded.max_len),
        native: native_help(args, loaded.max_len)?,
        out: args.out.clone(),
        beginning: None,
        journal: None,
        tests: out_options(args, loaded),
        keep: keep(args),
        sources: sources(args),
        c_tests: tuning.c_tests,
        tuning: tuning.campaign,
        list_paths: args.output.list_paths,
        log_paths: args.output.verbose > 0,
        confirm: confirm_options(args)?,
        verify: verify::options(args, loaded.max_len, &checks),
        report: !args.output.no_report,
        program: file_names(args),
        echoed: echoed(args),
        entry: args.input.entry.clone(),
    })
}

/// Which paths become tests.
pub(crate) fn keep(args: &RunArgs) -> Keep {
    match (args.output.all_tests, args.output.no_tests) {
        (true, _) => Keep::All,
        (_, true) => Keep::Nothing,
        _ => Keep::NewCoverage,
    }
}

/// The files of the program, as they were given.
pub(crate) fn file_names(args: &RunArgs) -> Vec<String> {
    args.program.iter().map(|path| path.display().to_string()).collect()
}

pub(crate) fn out_options(args: &RunArgs, loaded: &Loaded) -> OutOptions {
    OutOptions {
        program: settings::program_name(args),
        libraries: loaded.libraries.clone(),
        formats: args.output.format.iter().filter_map(|name| Format::from_name(name)).collect(),
        metadata: testcomp::Metadata {
            program_file: args.program[0].display().to_string(),
            program_hash: hash_of(&args.program[0]),
            entry_function: args.input.entry.clone().unwrap_or_else(|| "main".to_string()),
            ..testcomp::Metadata::default()
        },
    }
}

/// The SHA-256 hash of a file in hexadecimal; that of an empty file if it can no longer be read.
fn hash_of(file: &Path) -> String {
    let bytes = std::fs::read(file).unwrap_or_default();
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How the program is compiled. The paths are absolute, since the tests in C are compiled in another folder.
fn sources(args: &RunArgs) -> Sources {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into()).display().to_string();
    let flags = args.compiler.define.iter().map(|define| format!("-D{define}"));
    let flags = flags.chain(args.compiler.include.iter().map(|folder| format!("-I{}", absolute(Path::new(folder)))));
    Sources {
        program: args.program.iter().map(|path| absolute(path)).collect(),
        flags: flags.chain(args.compiler.cflag.iter().cloned()).collect(),
    }
}

/// How bugs are checked natively.
pub(crate) fn confirm_options(args: &RunArgs) -> Result<Option<ReplayOptions>, Failure> {
    if args.output.no_confirm {
        return Ok(None);
    }
    Ok(Some(ReplayOptions { trust: args.output.trust, ..ReplayOptions::new(&runtime::folder()?) }))
}

/// How much mutated inputs run natively. Only libFuzzer harnesses can be run many times in one process, and a user who
/// does not want the program to be run at all says so.
fn native_help(args: &RunArgs, max_len: Option<u32>) -> Result<Option<NativeHelp>, Failure> {
    let Some(max_len) = max_len else {
        return match args.exploration.native_share {
            None | Some(0) => Ok(None),
            Some(_) => {
                Err(Failure::Input("--native-share needs a libFuzzer harness: LLVMFuzzerTestOneInput".to_string()))
            }
        };
    };
    if args.output.no_confirm {
        return Ok(None);
    }
    let default = if args.verify.is_some() { 0 } else { DEFAULT_NATIVE_SHARE };
    let replay = ReplayOptions { trust: args.output.trust, ..ReplayOptions::new(&runtime::folder()?) };
    let share = args.exploration.native_share.unwrap_or(default);
    let Tuning { campaign: tuning, suite: mutation, .. } = settings::tuning(args)?;
    Ok(Some(NativeHelp { share, max_len, seed: args.exploration.seed, replay, tuning, mutation }))
}

/// The options that influence what is found.
pub(crate) fn echoed(args: &RunArgs) -> BTreeMap<String, serde_json::Value> {
    let mut options = BTreeMap::new();
    let mut add = |name: &str, value: serde_json::Value| options.insert(name.to_string(), value);
    add("search", args.exploration.search.clone().into());
    add("solve-first", args.exploration.solve_first.into());
    add("prune", prune::chosen(args).iter().map(ToString::to_string).collect());
    add("check", args.exploration.check.clone().into());
    add("solver", args.exploration.solver.clone().into());
    add("uninit", if args.exploration.uninit == Uninit::Any { "any" } else { "zero" }.into());
    add("seed", args.exploration.seed.into());
    add("jobs", settings::jobs(args).into());
    if args.learn.learn {
        add("learn", true.into());
        add("learn-rounds", args.learn.learn_rounds.into());
        add("learn-ratio", args.learn.learn_ratio.clone().into());
        add("learn-seed", args.learn.learn_seed.unwrap_or(args.exploration.seed).into());
        add("learn-by", args.learn.learn_by.clone().into());
        if let Some(file) = &args.learn.learned {
            add("learned", file.display().to_string().into());
        }
    }
    add("opt", args.compiler.opt.clone().into());
    if let Some(time) = args.limits.max_time {
        add("max-time", time.as_secs_f64().into());
    }
    if let Some(paths) = args.limits.max_paths {
        add("max-paths", paths.into());
    }
    if !args.exploration.tune.is_empty() {
        add("tune", args.exploration.tune.clone().into());
    }
    if let Some(seeds) = &args.input.seeds {
        add("seeds", seeds.display().to_string().into());
    }
    if let Some(entry) = &args.input.entry {
        add("entry", entry.clone().into());
    }
    options
}
