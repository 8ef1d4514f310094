//! What the arguments mean: checked, with defaults filled in.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::builder::PossibleValue;
use secateur_campaign::{RawInput, SeedOptions};
use secateur_explore::search::{self, Searcher, SolveFirst};
use secateur_explore::{Limits, Plan, Settings, WorkerSetup};
use secateur_machine::{ArgGroup, BugKind, Environment, Options as MachineOptions, Refuted, Uninit};
use secateur_program::{Entry, LoadOptions, OptLevel, Program, Runtime};
use secateur_solver::{BackendKind, Options as SolverOptions, Rung, RungSet, Solver, SolverProcess};

use crate::args::RunArgs;
use crate::tuning::Tuning;
use crate::{Failure, host_files, learn_args, prune};

/// Less memory than this is used up before the first path starts.
const LEAST_MEMORY: u64 = 64 << 20;

/// Checks that are off unless asked for, under the names that ask for them.
const OPTIONAL: &[(&str, &[BugKind])] = &[
    ("overflow", &[BugKind::SignedOverflow, BugKind::ShiftOutOfRange]),
    ("uninit", &[BugKind::Uninitialised]),
    ("leak", &[BugKind::Leak]),
];

/// The names that `--check` takes.
pub(crate) fn check_names() -> Vec<&'static str> {
    let groups = ["none", "all"].into_iter().chain(OPTIONAL.iter().map(|(name, _)| *name));
    let mut names: Vec<&str> = groups.collect();
    // A group of a single kind has the name of that kind.
    let kinds = BugKind::ALL.iter().map(|kind| kind.name());
    names.extend(kinds.filter(|kind| !OPTIONAL.iter().any(|(name, _)| name == kind)));
    names
}

/// The names that `--solver-rungs` takes, with what they mean.
pub(crate) fn rung_values() -> Vec<PossibleValue> {
    Rung::ALL.iter().map(|rung| PossibleValue::new(rung.name()).help(rung.description())).collect()
}

/// The kinds of bugs that are looked for.
pub(crate) fn enabled_checks(names: &[String]) -> Vec<BugKind> {
    let optional: Vec<BugKind> = OPTIONAL.iter().flat_map(|(_, kinds)| kinds.iter().copied()).collect();
    let mut enabled: Vec<BugKind> = BugKind::ALL.iter().copied().filter(|kind| !optional.contains(kind)).collect();
    for name in names {
        match name.as_str() {
            "none" => enabled.clear(),
            "all" => enabled = BugKind::ALL.to_vec(),
            name => {
                let group = OPTIONAL.iter().find(|(group, _)| *group == name).map(|(_, kinds)| kinds.to_vec());
                let kinds = group.unwrap_or_else(|| BugKind::from_name(name).into_iter().collect());
                enabled.extend(kinds);
            }
        }
    }
    enabled.sort();
    enabled.dedup();
    enabled
}

/// Enables the checks of UBSan if the program was compiled with them, unless `--check` already says something about
/// them.
pub(crate) fn add_sanitizer_checks(names: &[String], program: &Program, checks: &mut Vec<BugKind>) {
    const KINDS: [BugKind; 2] = [BugKind::SignedOverflow, BugKind::ShiftOutOfRange];
    let chosen = names.iter().any(|name| name == "none") || KINDS.iter().any(|kind| checks.contains(kind));
    let mut functions = program.functions.iter();
    if !chosen && functions.any(|function| function.name.starts_with("__ubsan_handle_")) {
        checks.extend(KINDS);
    }
}

/// How the program is loaded.
pub(crate) fn load_options(args: &RunArgs, runtime: &Path, checks: &[BugKind]) -> Result<LoadOptions, Failure> {
    let mut cflags: Vec<String> = args.compiler.define.iter().map(|define| format!("-D{define}")).collect();
    cflags.extend(args.compiler.include.iter().map(|folder| format!("-I{folder}")));
    cflags.extend(args.compiler.cflag.iter().cloned());
    let entry = match (&args.input.entry, args.input.max_len) {
        (Some(name), _) => Entry::Function(args.input.unit.options(name)),
        (None, Some(max_len)) => Entry::LibFuzzer { max_len },
        (None, None) => Entry::Auto,
    };
    Ok(LoadOptions {
        inputs: args.program.clone(),
        opt_level: match args.compiler.opt.as_str() {
            "1" => OptLevel::O1,
            "2" => OptLevel::O2,
            "3" => OptLevel::O3,
            _ => OptLevel::O0,
        },
        strict: args.compiler.strict,
        show_warnings: args.output.verbose > 0,
        cflags,
        runtime: Runtime::at(runtime),
        entry,
        fail_calls: args.input.fail_calls,
        symbolic_time: args.input.sym_time,
        symbolic_identity: args.input.sym_ids,
        shims: secateur_machine::shim_names(),
        // Interpolants cannot describe an object whose size is open.
        pin_size: args.verify.is_some(),
        promote_locals: uninit(args, checks) == Uninit::Zero,
        timeout: args.compiler.load_timeout,
        ubsan: checks.contains(&BugKind::SignedOverflow) || checks.contains(&BugKind::ShiftOutOfRange),
        tuning: tuning(args)?.program,
        ..LoadOptions::default()
    })
}

/// How the machine runs.
pub(crate) fn machine_options(args: &RunArgs, checks: &[BugKind]) -> Result<MachineOptions, Failure> {
    if args.limits.max_alloc > secateur_program::MAX_OBJECT_SIZE {
        let message = "--max-alloc: objects have at most 1G; a path that allocates a larger one ends there";
        return Err(Failure::Input(message.to_string()));
    }
    if args.limits.max_memory < LEAST_MEMORY {
        let message = "--max-memory: the program and the solver themselves take more; give at least 64M";
        return Err(Failure::Input(message.to_string()));
    }
    let mut arguments = Vec::new();
    for group in args.input.sym_args.chunks_exact(3) {
        let group = ArgGroup { fewest: group[0], most: group[1], len: group[2] };
        let refuse = |reason: &str| {
            Failure::Input(format!("--sym-args {} {} {}: {reason}", group.fewest, group.most, group.len))
        };
        if group.fewest > group.most {
            return Err(refuse("MIN is greater than MAX"));
        }
        if group.optional() > 255 {
            return Err(refuse("at most 255 arguments may be optional"));
        }
        arguments.push(group);
    }
    let files = named_sizes("--sym-file", &args.input.sym_file)?;
    let variables = named_sizes("--sym-env", &args.input.sym_env)?;
    let named = files.iter().chain(&variables).map(|(_, size)| u64::from(*size));
    let given = arguments.iter().map(ArgGroup::bytes);
    let all = named.chain(given).sum::<u64>() + u64::from(args.input.sym_stdin.unwrap_or(0));
    if all > args.limits.max_input {
        return Err(Failure::Input(format!(
            "the options ask for {all} bytes of symbolic input, and --max-input allows {}",
            args.limits.max_input
        )));
    }
    let tuning = tuning(args)?;
    Ok(MachineOptions {
        disabled: BugKind::ALL.iter().copied().filter(|kind| !checks.contains(kind)).collect(),
        track_uninit: true,
        uninit: uninit(args, checks),
        check_leak: checks.contains(&BugKind::Leak),
        max_instructions: args.limits.max_instructions,
        max_depth: args.limits.max_depth,
        max_frames: args.limits.max_frames,
        max_allocation: args.limits.max_alloc,
        max_stack: args.limits.max_stack,
        max_input: u32::try_from(args.limits.max_input).unwrap_or(u32::MAX),
        max_elements: args.limits.max_elements,
        // Without this rung, or if every answer is cross-checked, refuted alternatives become questions.
        refuted: match rungs(args).has(Rung::Known) && !args.exploration.cross_check {
            true => Refuted::Counted,
            false => Refuted::Offered,
        },
        tuning: tuning.machine,
        expressions: tuning.expr,
        environment: Environment {
            arguments,
            fixed_arguments: args.input.args.clone(),
            stdin: args.input.sym_stdin,
            files,
            given: host_files::read(&args.input.files)?,
            variables,
            program_name: program_name(args),
        },
    })
}

/// The value of memory that was never written. If what depends on it is a bug, the value does not matter, and zero
/// needs no input.
pub(crate) fn uninit(args: &RunArgs, checks: &[BugKind]) -> Uninit {
    if checks.contains(&BugKind::Uninitialised) { Uninit::Zero } else { args.exploration.uninit }
}

/// The tuned numbers, changed as `--tune` says.
pub(crate) fn tuning(args: &RunArgs) -> Result<Tuning, Failure> {
    Tuning::changed(&args.exploration.tune).map_err(|error| Failure::Input(format!("--tune {error}")))
}

/// Where seeds come from, and which input of the program the plain files among them are.
pub(crate) fn seeds(args: &RunArgs, max_len: Option<u32>) -> Option<SeedOptions> {
    let input = &args.input;
    let other = !input.sym_args.is_empty() || !input.sym_env.is_empty() || input.entry.is_some();
    let raw = match (max_len, input.sym_stdin, input.sym_file.len() / 2) {
        (Some(max_len), ..) => RawInput::Fuzzer { max_len },
        (None, Some(_), 0) if !other => RawInput::Stdin,
        (None, None, 1) if !other => RawInput::File,
        _ => RawInput::None,
    };
    Some(SeedOptions { folder: input.seeds.clone()?, raw })
}

/// The name of the program: that of its first file, without the extension of source or bitcode.
pub(crate) fn program_name(args: &RunArgs) -> String {
    let file = &args.program[0];
    let compiled = file.extension().is_some_and(|ending| ["c", "i", "bc", "ll"].iter().any(|known| ending == *known));
    let name = if compiled { file.file_stem() } else { file.file_name() };
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Pairs of a name and a number of bytes.
fn named_sizes(option: &str, values: &[String]) -> Result<Vec<(String, u32)>, Failure> {
    let pairs = values.chunks_exact(2).map(|pair| match pair[1].parse() {
        Ok(size) => Ok((pair[0].clone(), size)),
        Err(_) => {
            Err(Failure::Input(format!("{option} {} {}: `{}` is not a number of bytes", pair[0], pair[1], pair[1])))
        }
    });
    pairs.collect()
}

/// The rungs of the solver that are used.
fn rungs(args: &RunArgs) -> RungSet {
    if args.exploration.solver_rungs.is_empty() {
        return RungSet::all();
    }
    let named = args.exploration.solver_rungs.iter().filter_map(|name| Rung::from_name(name));
    named.fold(RungSet::none(), RungSet::with)
}

/// How a program is explored. `interrupted` is set when the user wants it to stop.
pub(crate) fn exploration(args: &RunArgs, interrupted: Arc<AtomicBool>) -> Result<Settings, Failure> {
    exploration_in(args, interrupted, &|worker, tuning| searcher(args, worker, tuning))
}

/// How a round is explored.
pub(crate) fn round(args: &RunArgs, interrupted: Arc<AtomicBool>, plan: &Plan) -> Result<Settings, Failure> {
    exploration_in(args, interrupted, &|worker, tuning| {
        let searcher = learn_args::searcher(plan, worker, tuning)
            .ok_or_else(|| Failure::Own(format!("a round has the order {}, which does not exist", plan.order)))?;
        Ok(with_solve_first(args, searcher))
    })
}

/// Makes the order in which a worker tries flips.
type MakeSearcher<'a> = dyn Fn(u16, &secateur_explore::Tuning) -> Result<Box<dyn Searcher>, Failure> + 'a;

fn exploration_in(
    args: &RunArgs,
    interrupted: Arc<AtomicBool>,
    searcher: &MakeSearcher<'_>,
) -> Result<Settings, Failure> {
    let tuning = tuning(args)?.explore;
    let of_memory = Limits::of_memory(args.limits.max_memory, &tuning);
    Ok(Settings {
        searcher: searcher(0, &tuning)?,
        pruners: prune::pruners(args)?,
        subsumption: prune::subsumption(args)?,
        greedy: !args.exploration.no_greedy,
        limits: Limits {
            time: args.limits.max_time,
            paths: args.limits.max_paths,
            snapshot_memory: args.limits.snapshot_memory.or(of_memory.snapshot_memory),
            ..of_memory
        },
        grace: args.limits.grace,
        interrupted,
        first_input: Vec::new(),
        continued: None,
        remote: None,
        inputs: None,
        snapshots: !args.exploration.no_snapshots,
        recheck: args.exploration.recheck,
        check_cuts: args.exploration.check_cuts,
        leave_memory: !args.input.unit.each_function,
        return_memory: crate::allocator::return_memory,
        workers: (1..jobs(args)).map(|number| worker(args, searcher(number, &tuning)?)).collect::<Result<_, _>>()?,
        tuning,
    })
}

/// The order in which a worker tries flips.
fn searcher(args: &RunArgs, worker: u16, tuning: &secateur_explore::Tuning) -> Result<Box<dyn Searcher>, Failure> {
    let names = &args.exploration.search;
    if let Some(twice) = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)) {
        return Err(Failure::Input(format!("--search {}: `{}` is named twice", names.join(","), twice.1)));
    }
    // Each worker has its own seed, or all would make the same random choices.
    let searcher = search::by_names(names, args.exploration.seed.wrapping_add(worker.into()), tuning)
        .ok_or_else(|| Failure::Input(format!("--search {}: there is no such searcher", names.join(","))))?;
    Ok(with_solve_first(args, searcher))
}

fn with_solve_first(args: &RunArgs, searcher: Box<dyn Searcher>) -> Box<dyn Searcher> {
    if args.exploration.solve_first { Box::new(SolveFirst::new(searcher)) } else { searcher }
}

/// How many workers explore.
pub(crate) fn jobs(args: &RunArgs) -> u16 {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get().try_into().unwrap_or(u16::MAX));
    args.exploration.jobs.unwrap_or_else(cores)
}

/// The solver and the strategies of a worker other than the first.
fn worker(args: &RunArgs, searcher: Box<dyn Searcher>) -> Result<WorkerSetup, Failure> {
    Ok(WorkerSetup { solver: Solver::new(solver_options(args)?)?, searcher, pruners: prune::pruners(args)? })
}

/// How the solver works.
pub(crate) fn solver_options(args: &RunArgs) -> Result<SolverOptions, Failure> {
    let tuning = tuning(args)?;
    Ok(SolverOptions {
        backend: BackendKind::from_name(&args.exploration.solver).unwrap_or(BackendKind::Bitwuzla),
        timeout: args.exploration.solver_timeout,
        rungs: rungs(args),
        dump: args.exploration.dump_queries.clone(),
        cross_check: args.exploration.cross_check,
        seed: args.exploration.seed,
        process: Some(SolverProcess {
            program: "/proc/self/exe".into(),
            memory: Some(args.limits.max_memory),
            workers: jobs(args).into(),
        }),
        tuning: tuning.solver,
        concrete: tuning.concrete,
    })
}

/// `zero` or `any`.
pub(crate) fn parse_uninit(text: &str) -> Result<Uninit, String> {
    match text {
        "zero" => Ok(Uninit::Zero),
        "any" => Ok(Uninit::Any),
        _ => Err("it is `zero` or `any`".to_string()),
    }
}

/// `30s`, `5m`, `2h`, `250ms`, or a number of seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("give a time such as 30s, 5m or 2h".to_string()),
    };
    let number: f64 = digits.parse().map_err(|_| "give a time such as 30s, 5m or 2h".to_string())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| "the time is out of range".to_string())
}

/// `500K`, `64M`, `4G`, or a number of bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err("give a size such as 500M or 4G".to_string()),
    };
    let number: u64 = digits.parse().map_err(|_| "give a size such as 500M or 4G".to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size is out of range".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(parse_duration("soon").is_err() && parse_duration("").is_err() && parse_duration("-1s").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("500"), Ok(500));
        assert!(parse_size("4X").is_err() && parse_size("99999999999G").is_err());
    }

    #[test]
    fn checks_are_added_and_removed_in_order() {
        let names = |list: &[&str]| enabled_checks(&list.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(!names(&[]).contains(&BugKind::Leak) && names(&[]).contains(&BugKind::Assertion));
        assert!(names(&["leak"]).contains(&BugKind::Leak));
        assert_eq!(names(&["none"]), []);
        assert_eq!(names(&["none", "abort"]), [BugKind::Abort]);
        assert_eq!(names(&["all"]), BugKind::ALL);
    }
}
