//! The arguments of `--learn`.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use secateur_campaign::Learning;
use secateur_explore::search::Searcher;
use secateur_explore::{Plan, Settings};
use secateur_learn::{CountedBy, Learned, Learner, ORDERS, Options, RATIOS};
use secateur_program::Program;

use crate::Failure;
use crate::args::RunArgs;

/// How learning works.
#[derive(Args)]
#[command(next_help_heading = "Learning (docs/learning.md)")]
pub(crate) struct LearnArgs {
    /// Explore in rounds, and learn in each which alternatives are worth keeping: for programs with far more paths than
    /// time
    #[arg(long, conflicts_with_all = ["all_tests", "each_function"])]
    pub learn: bool,

    /// Start from what another run has learned, on this or another version of the program: its OUT/learned.json
    #[arg(long, value_name = "FILE", requires = "learn")]
    pub learned: Option<PathBuf>,

    /// Into about how many rounds to divide --max-time, or --max-paths with --learn-by paths
    #[arg(
        long,
        value_name = "N",
        default_value_t = 24,
        requires = "learn",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
    )]
    pub learn_rounds: u32,

    /// Which share of the pending alternatives to drop at a time; of several, one is drawn for each round [default:
    /// 0.2,0.4,0.6]
    #[arg(long, value_name = "SHARE", value_delimiter = ',', requires = "learn", value_parser = parse_share)]
    pub learn_ratio: Vec<f64>,

    /// The seed of what is drawn [default: that of --seed]
    #[arg(long, value_name = "N", requires = "learn")]
    pub learn_seed: Option<u64>,

    /// How rounds are counted: with `paths` and --jobs 1, the same run writes the same files
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "time",
        requires = "learn",
        value_parser = PossibleValuesParser::new(["time", "paths"]),
    )]
    pub learn_by: String,
}

/// A share that is dropped: more than nothing, less than all.
fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("give a share between 0 and 1, such as 0.4".to_string()),
    }
}

/// What plans the rounds, if that is wanted. `make` makes the settings of a round in which flips are tried in the order
/// of a searcher.
pub(crate) fn learning<'a>(
    args: &'a RunArgs,
    program: &Program,
    make: impl FnMut(&Plan) -> Result<Settings, Failure> + 'a,
) -> Result<Option<Learning<'a>>, Failure> {
    let given = &args.learn;
    if !given.learn {
        return Ok(None);
    }
    if args.verify.is_some() {
        return Err(Failure::Input("--learn leaves paths out, so it works with `secateur run` only".to_string()));
    }
    let learned = given.learned.as_deref().map(read).transpose()?;
    let options = Options {
        rounds: given.learn_rounds,
        ratios: if given.learn_ratio.is_empty() { RATIOS.to_vec() } else { given.learn_ratio.clone() },
        seed: given.learn_seed.unwrap_or(args.exploration.seed),
        by: if given.learn_by == "paths" { CountedBy::Paths } else { CountedBy::Time },
        orders: orders(args),
        program: crate::campaign_options::file_names(args),
        learned,
        tuning: crate::settings::tuning(args)?.learn,
    };
    let learner = Learner::new(program, options).map_err(|error| {
        Failure::Input(format!("--learned {}: {error}", given.learned.as_deref().unwrap_or(Path::new("")).display()))
    })?;
    let (file, summary) = (learner.clone(), learner.clone());
    let mut make = make;
    Ok(Some(Learning {
        rounds: Box::new(learner),
        make: Box::new(move |plan| {
            make(plan).map_err(|failure| match failure {
                Failure::Input(why) | Failure::Own(why) => why,
            })
        }),
        learned: Box::new(move || file.learned()),
        summary: Box::new(move || summary.summary()),
    }))
}

fn read(path: &Path) -> Result<Learned, Failure> {
    let refuse = |why: String| Failure::Input(format!("--learned {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    Learned::read(&text).map_err(|error| refuse(error.to_string()))
}

/// The orders among which is chosen: several unless the user names one, or some that take turns.
fn orders(args: &RunArgs) -> Vec<String> {
    match &args.exploration.search[..] {
        [only] if only == "default" => ORDERS.map(str::to_string).to_vec(),
        named => vec![named.join(",")],
    }
}

/// The order of a round.
pub(crate) fn searcher(plan: &Plan, worker: u16, tuning: &secateur_explore::Tuning) -> Option<Box<dyn Searcher>> {
    let names: Vec<&str> = plan.order.split(',').collect();
    secateur_explore::search::by_names(&names, plan.seed.wrapping_add(worker.into()), tuning)
}
