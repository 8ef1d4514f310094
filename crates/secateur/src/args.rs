//! The arguments as they are typed. `settings` works out what they mean.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::verify::VerifyChoice;

/// Writes tests for C programs, finds their bugs, and proves their absence, by exploring their execution paths.
#[derive(Parser)]
#[command(name = "secateur", version, max_term_width = 110, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  secateur run prog.c                       explore prog.c, whose input is named by klee_make_symbolic,
                                            __VERIFIER_nondet_int, CREST_int, SYM_int, or LLVMFuzzerTestOneInput
  secateur run prog.c --sym-stdin 16        a whole program with 16 bytes of symbolic standard input
  secateur run lib.c --entry parse          one function; its parameters become symbolic
  secateur run lib.c --each-function        every function of a file by itself, and a table at the end
  secateur verify prog.c                    explore everything; the last line is VERIFIED, BUG or UNKNOWN
  secateur reach prog.c --target lib.c:120  an input that gets to this line, or a proof that there is none
  secateur replay secateur-out              run the tests that were found on the native program
  make CC='secateur cc'                     build a program so that it keeps its bitcode; then
  secateur run ./prog --sym-args 0 2 8      explore it

Exit codes: 0 done and no bug (verify: VERIFIED), 1 bad usage or bad input, 2 a fault of Secateur, 10 a bug was found,
11 reach: all targets are answered and some cannot be reached, 20 verify: UNKNOWN, reach: some target is unknown.";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Explore a program: write tests, bugs, coverage and a report
    Run(Box<RunArgs>),
    /// Explore everything and say whether a check can fail: VERIFIED, BUG or UNKNOWN, with the reasons
    Verify(Box<VerifyArgs>),
    /// Find an input for a line, a side of a branch or a function, or prove that there is none
    Reach(Box<ReachArgs>),
    /// Run the tests of an output folder on the natively compiled program
    Replay(ReplayArgs),
    /// Explore with many processes on any number of machines, which share work through a NATS server (docs/cluster.md)
    Cluster(crate::cluster_args::ClusterArgs),
    /// Explore for the runs on a NATS server that `secateur cluster` begins (docs/cluster.md)
    Worker(crate::cluster_args::WorkerArgs),
    /// Compile C like cc, and keep bitcode in the result for `run` and `verify`: CC="secateur cc" make
    #[command(disable_help_flag = true)]
    Cc(CcArgs),
    /// Write the manual pages and the completions of shells into a folder, as they belong into PREFIX/share
    #[command(hide = true)]
    Manual(ManualArgs),
}

impl Cli {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&Cli::complete().try_get_matches()?)
    }

    /// Reads this command line.
    pub(crate) fn read_from(arguments: impl Iterator<Item = String>) -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&Cli::complete().try_get_matches_from(arguments)?)
    }

    /// Reads a command line in which a later option replaces an earlier one.
    pub(crate) fn read_with_overrides(arguments: impl Iterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut command = Cli::complete();
        for name in ["run", "verify"] {
            command = command.mut_subcommand(name, |command| command.args_override_self(true));
        }
        Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
    }

    /// All commands and options. `verify` and `reach` take the options of `run`, some with another default.
    pub(crate) fn complete() -> clap::Command {
        let command = Cli::command().mut_subcommand("cluster", |cluster| {
            let cluster = cluster.mut_subcommand("run", for_cluster);
            cluster.mut_subcommand("verify", |verify| for_cluster(for_verify(verify)))
        });
        let command = command.mut_subcommand("verify", for_verify);
        command.mut_subcommand("reach", |reach| {
            let reach = reach.mut_arg("search", |search| search.default_value("dfs").help(REACH_SEARCH));
            let reach = reach.mut_arg("grace", |grace| grace.default_value("0s").hide(true));
            let reach = reach.mut_arg("max_time", |time| time.help(REACH_TIME));
            let reach = reach.mut_arg("prune", |prune| prune.help(REACH_PRUNE).long_help(None));
            // A test for each target is all that is written.
            const WITHOUT: [&str; 12] = [
                "resume",
                "no_resume",
                "all_tests",
                "no_tests",
                "no_report",
                "list_paths",
                "show_output",
                "each_function",
                "seeds",
                "native_share",
                "check_cuts",
                "cover",
            ];
            without_learning(WITHOUT.into_iter().fold(reach, |reach, name| reach.mut_arg(name, |arg| arg.hide(true))))
        })
    }
}

/// `verify` takes the options of `run`, some with another default.
fn for_verify(verify: clap::Command) -> clap::Command {
    let verify = verify.mut_arg("search", |search| search.default_value("dfs"));
    // Pending alternatives are reasons; as tests, nobody wants them here.
    let verify = verify.mut_arg("grace", |grace| grace.default_value("0s"));
    let verify = verify.mut_arg("uninit", |uninit| uninit.default_value("any"));
    let verify = verify.mut_arg("prune", |prune| prune.help(VERIFY_PRUNE).long_help(None));
    let verify = verify.mut_arg("resume", |resume| resume.hide(true));
    without_learning(verify.mut_arg("no_tests", |no_tests| no_tests.hide(true)))
}

/// What a cluster does not do.
fn for_cluster(command: clap::Command) -> clap::Command {
    const WITHOUT: [&str; 7] =
        ["resume", "no_resume", "show_output", "each_function", "seeds", "native_share", "grace"];
    without_learning(WITHOUT.into_iter().fold(command, |command, name| command.mut_arg(name, |arg| arg.hide(true))))
}

/// Learning leaves paths out.
fn without_learning(command: clap::Command) -> clap::Command {
    const LEARNING: [&str; 6] = ["learn", "learned", "learn_rounds", "learn_ratio", "learn_seed", "learn_by"];
    LEARNING.into_iter().fold(command, |command, name| command.mut_arg(name, |arg| arg.hide(true)))
}

const REACH_SEARCH: &str = "An order of paths that takes turns with the one that goes for the target";

const REACH_TIME: &str = "Stop after this time for each target, e.g. 30s, 5m, 2h, or a number of seconds [default: \
    none for one target, 60s for each of several]";

const REACH_PRUNE: &str = "Alternatives not to try, besides those from which the target cannot be reached, as for \
    `verify`; the default is `interpolation,invariants`";

const VERIFY_PRUNE: &str = "Alternatives not to try, as for `run`; the default is \
    `lookahead,interpolation,invariants`, which loses no bug, and `none` with --all-tests";

#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub run: RunArgs,

    /// Look for all bugs instead of stopping at the first that the native program confirms
    #[arg(long, help_heading = "Exploration")]
    pub keep_going: bool,

    /// Write a test for each path that adds coverage, as `run` does; without it, only bugs are written
    #[arg(long, conflicts_with = "no_tests", help_heading = "Output")]
    pub tests: bool,
}

#[derive(Args)]
pub(crate) struct ReachArgs {
    #[command(flatten)]
    pub run: RunArgs,

    /// What to reach: FILE:LINE, one side of the branch of a line as FILE:LINE:true or FILE:LINE:false, or the name of
    /// a function; may be repeated
    #[arg(long, value_name = "TARGET", help_heading = "Targets")]
    pub target: Vec<String>,

    /// Reach any failing assertion, call of abort, or call of reach_error
    #[arg(long, help_heading = "Targets")]
    pub error: bool,

    /// Reach every side of a branch that an earlier run has not covered; DIR is its output folder
    #[arg(long, value_name = "DIR", help_heading = "Targets")]
    pub uncovered: Option<PathBuf>,

    /// Judge each finding of a static analyser: confirmed by an input, impossible, or unknown
    #[arg(long, value_name = "FILE", help_heading = "Targets")]
    pub sarif: Option<PathBuf>,

    /// Where to search from: the target (`backward`), the start of the program (`forward`), or first one and then the
    /// other
    #[arg(
        long,
        value_name = "WAY",
        default_value = "both",
        value_parser = PossibleValuesParser::new(["backward", "forward", "both"]),
        help_heading = "Exploration",
    )]
    pub way: String,

    /// How often a loop is entered backwards before it is left out as a whole
    #[arg(long, value_name = "N", default_value_t = 12, help_heading = "Exploration")]
    pub unroll: u32,

    /// How many inputs are run at most for each target to find what backward execution leaves open: long loops,
    /// functions like `sin`
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Limits")]
    pub search_budget: u64,

    /// The most backward steps for each target [default: 20,000; without limit for --way backward]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_steps: Option<u64>,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    /// C source (.c, .i), LLVM 19 bitcode (.bc, .ll), or an executable, object or archive that `secateur cc` has built;
    /// several files are linked together
    #[arg(required_unless_present_any = ["tune", "resume"], value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Where to write; an existing folder is replaced only if Secateur wrote it
    #[arg(long, short, value_name = "DIR", default_value = "secateur-out")]
    pub out: PathBuf,

    /// Continue the run or verification that has written DIR and was stopped or killed: with its program and options,
    /// and those that are given here besides
    #[arg(long, value_name = "DIR", conflicts_with_all = ["program", "out"])]
    pub resume: Option<PathBuf>,

    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub compiler: CompilerArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
    #[command(flatten)]
    pub learn: crate::learn_args::LearnArgs,
    #[command(flatten)]
    pub output: OutputArgs,

    /// Set for `verify` and `reach`, which prove that something cannot happen.
    #[arg(skip)]
    pub verify: Option<VerifyChoice>,
}

/// What is symbolic.
#[derive(Args)]
#[command(next_help_heading = "Symbolic input")]
pub(crate) struct InputArgs {
    /// Test this function: its parameters become symbolic, and its tests are also written as a C file,
    /// OUT/tests/FUNCTION_test.c
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// The most bytes to pass to LLVMFuzzerTestOneInput
    #[arg(long, value_name = "N", conflicts_with = "entry")]
    pub max_len: Option<u32>,

    /// Follow the inputs in this folder first: a fuzzer's corpus, .ktest or Test-Comp tests, or the output folder of an
    /// earlier run (docs/fuzzing.md)
    #[arg(long, value_name = "DIR")]
    pub seeds: Option<PathBuf>,

    /// From MIN to MAX command-line arguments of up to LEN characters each; may be repeated
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], action = clap::ArgAction::Append)]
    pub sym_args: Vec<u32>,

    /// A concrete command-line argument, before the symbolic ones; may be repeated
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// Standard input of N symbolic bytes
    #[arg(long, value_name = "N")]
    pub sym_stdin: Option<u32>,

    /// A file of N symbolic bytes; may be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "N"], action = clap::ArgAction::Append)]
    pub sym_file: Vec<String>,

    /// A concrete file or folder of this system, which the program finds as NAME (by default, under the last part of
    /// its path) in its working directory; may be repeated
    #[arg(long = "file", value_name = "HOST[=NAME]")]
    pub files: Vec<String>,

    /// An environment variable of up to LEN symbolic characters; may be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "LEN"], action = clap::ArgAction::Append)]
    pub sym_env: Vec<String>,

    /// Up to N calls of the program on each path may fail although nothing is wrong with them, with the usual errors of
    /// each: allocating, opening, reading, writing, closing and the like (docs/environment.md)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub fail_calls: u32,

    /// What clocks show is symbolic; it never goes back
    #[arg(long)]
    pub sym_time: bool,

    /// The numbers of process, user and group and the name of the host are symbolic
    #[arg(long)]
    pub sym_ids: bool,

    #[command(flatten)]
    pub unit: crate::unit_args::UnitArgs,
}

/// How C files are compiled.
#[derive(Args)]
#[command(next_help_heading = "Compiler")]
pub(crate) struct CompilerArgs {
    /// Optimisation level for C files
    #[arg(
        short = 'O',
        value_name = "LEVEL",
        default_value = "0",
        value_parser = PossibleValuesParser::new(["0", "1", "2", "3"]),
    )]
    pub opt: String,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Look for headers in this folder, too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Pass an option to clang as it is; may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cflag: Vec<String>,

    /// Refuse what clang refuses although it is common in old C, such as functions that are not declared
    #[arg(long)]
    pub strict: bool,

    /// How long loading bitcode may take [default: 30s plus 20s per megabyte]
    #[arg(long, value_name = "TIME", value_parser = crate::settings::parse_duration)]
    pub load_timeout: Option<std::time::Duration>,
}

/// When to stop.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Stop after this time, e.g. 30s, 5m, 2h, or a number of seconds
    #[arg(long, value_name = "TIME", value_parser = crate::settings::parse_duration)]
    pub max_time: Option<std::time::Duration>,

    /// Stop after this many paths
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_paths: Option<u64>,

    /// End a path after this many symbolic decisions
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_depth: u32,

    /// The most memory to use, e.g. 500M, 4G; a path that takes more by itself ends there
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = crate::settings::parse_size)]
    pub max_memory: u64,

    /// Drop snapshots when this much memory is used; they are rebuilt by running again [default: 3/4 of --max-memory]
    #[arg(long, value_name = "SIZE", value_parser = crate::settings::parse_size)]
    pub snapshot_memory: Option<u64>,

    /// End a path after this many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_instructions: u64,

    /// How many calls may be active at once before that is reported as a stack overflow
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_frames: u32,

    /// How large the local variables of all active calls may become before that is reported as a stack overflow
    #[arg(long, value_name = "SIZE", default_value = "8M", value_parser = crate::settings::parse_size)]
    pub max_stack: u64,

    /// The largest symbolic input of a path; a path that asks for more ends there
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = crate::settings::parse_size)]
    pub max_input: u64,

    /// The largest allocation; a path that asks for more ends there
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = crate::settings::parse_size)]
    pub max_alloc: u64,

    /// The most elements a symbolic index may range over before its values are tried one by one
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub max_elements: u64,

    /// How long to keep turning pending alternatives into tests once a time or memory limit is hit
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = crate::settings::parse_duration)]
    pub grace: std::time::Duration,
}

/// How to explore.
#[derive(Args)]
#[command(next_help_heading = "Exploration")]
pub(crate) struct ExplorationArgs {
    /// The order in which paths are tried; several orders take turns (docs/search.md says what each does)
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "default",
        value_parser = PossibleValuesParser::new(secateur_explore::search::NAMES),
    )]
    pub search: Vec<String>,

    /// Try all alternatives of a path, the earliest first, before those of any other path
    #[arg(long)]
    pub solve_first: bool,

    /// Alternatives not to try: `lookahead`, the default, prunes what can add neither coverage nor a bug;
    /// `lookahead=coverage` prunes what cannot add coverage (far more, but bugs other than failed assertions and the
    /// like may be missed); `max-call-depth=N` prunes the alternatives in calls nested deeper than N; `interpolation`
    /// ends paths that others account for; `none`, the default with --all-tests, prunes nothing
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = crate::prune::parse)]
    pub prune: Vec<crate::prune::Pruning>,

    /// What is worth covering for look-ahead
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "branches,blocks",
        value_parser = PossibleValuesParser::new(["branches", "blocks"]),
    )]
    pub cover: Vec<String>,

    /// Checks to add to the default ones: overflow, uninit, leak; `none` switches all off, `all` switches all on,
    /// and any kind of bug can be named
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(crate::settings::check_names()),
    )]
    pub check: Vec<String>,

    /// The value of memory that was never written: `zero` (a run that depends on it is not complete) or `any`
    #[arg(long, value_name = "WHAT", default_value = "zero", value_parser = crate::settings::parse_uninit)]
    pub uninit: secateur_machine::Uninit,

    /// The SMT solver that answers what nothing simpler can
    #[arg(
        long,
        value_name = "NAME",
        default_value = "bitwuzla",
        value_parser = PossibleValuesParser::new(["bitwuzla", "z3"]),
    )]
    pub solver: String,

    /// How long the SMT solver may take for one question
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::settings::parse_duration)]
    pub solver_timeout: std::time::Duration,

    /// Which rungs of the solver to use; their order is fixed
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(crate::settings::rung_values()),
    )]
    pub solver_rungs: Vec<String>,

    /// Write every question to the SMT solver into this folder
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,

    /// Put every question to both SMT solvers and end with an error if any answers disagree; slow
    #[arg(long)]
    pub cross_check: bool,

    /// Change a tuned number, for measurements; `--tune help` lists them
    #[arg(long, value_name = "NAME=VALUE", hide_short_help = true)]
    pub tune: Vec<String>,

    /// Run the input of every path again from the start and end with an error if it takes another path; slow
    #[arg(long)]
    pub recheck: bool,

    /// Explore at the end what was pruned without loss, up to a limit (docs/search.md), and end with an error if it
    /// holds a bug or coverage that was missed; slow
    #[arg(long)]
    pub check_cuts: bool,

    /// With --prune interpolation: do not complete sides out of turn
    #[arg(long)]
    pub no_greedy: bool,

    /// How many threads explore paths; with 1, the same run writes the same files (for a libFuzzer
    /// harness, with --native-share 0) [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// How much of the time mutated inputs run on the natively compiled program, in per cent: what covers something new
    /// there is followed in the engine; 0 for never [default: 50 for a libFuzzer harness, else 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=95))]
    pub native_share: Option<u32>,

    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Keep no snapshots: run every path from the start
    #[arg(long)]
    pub no_snapshots: bool,
}

/// What to write and show.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Formats of the tests
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "ktest",
        value_parser = PossibleValuesParser::new(["ktest", "xml", "raw"]),
    )]
    pub format: Vec<String>,

    /// Write a test for every path, not only for those that add coverage
    #[arg(long)]
    pub all_tests: bool,

    /// Write no tests (bugs are still written)
    #[arg(long, conflicts_with = "all_tests")]
    pub no_tests: bool,

    /// Do not keep in OUT/pending what `run --resume OUT` needs (with --learn, it is never kept)
    #[arg(long)]
    pub no_resume: bool,

    /// Write no OUT/report.html
    #[arg(long)]
    pub no_report: bool,

    /// How many paths and open sides OUT/paths.csv and the report list; 0 for none
    #[arg(long, value_name = "N", default_value_t = 250_000)]
    pub list_paths: u64,

    /// Do not check the bugs on the natively compiled program
    #[arg(long)]
    pub no_confirm: bool,

    /// Check bugs without a sandbox, as you would run the program yourself (docs/security.md)
    #[arg(long, conflicts_with = "no_confirm")]
    pub trust: bool,

    /// Print what the program writes on each path
    #[arg(long)]
    pub show_output: bool,

    /// Print the summary as JSON on standard output
    #[arg(long)]
    pub json: bool,

    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,

    /// Log every path into OUT/run.log, and print the compiler's warnings
    #[arg(long, short, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

#[derive(Args)]
pub(crate) struct CcArgs {
    /// What cc takes: all options are clang's, but for --strict (docs/programs.md)
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<std::ffi::OsString>,
}

#[derive(Args)]
pub(crate) struct ManualArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub share: PathBuf,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The output folder of a run
    #[arg(value_name = "OUT", default_value = "secateur-out")]
    pub out: PathBuf,

    /// Run only this test, e.g. 000001 or bugs/000001; may be repeated
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,

    /// How many tests run at the same time
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<usize>,

    /// How long one test may run
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::settings::parse_duration)]
    pub test_timeout: std::time::Duration,

    /// Run the tests without a sandbox, as you would run the program yourself (docs/security.md)
    #[arg(long)]
    pub trust: bool,

    /// Print only tests that do not behave as predicted
    #[arg(long, short)]
    pub quiet: bool,
}
