//! What a campaign is told.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use secateur_c_tests::{Sources, Tuning as CTestsTuning};
use secateur_explore::Settings;
use secateur_machine::Options as MachineOptions;
use secateur_solver::Solver;
use secateur_suite::OutOptions;
use secateur_suite::replay::ReplayOptions;

use crate::collect::Steps;
use crate::journal::{Beginning, Journal};
use crate::keep::Keep;
use crate::learning::Learning;
use crate::native::NativeHelp;
use crate::seeds::SeedOptions;
use crate::tuning::Tuning;
use crate::verdict::Verify;

/// How a program is explored, and what is written.
pub struct Options<'a> {
    /// When the campaign began, the loading of the program included: the time limit counts from here.
    pub started: Instant,
    /// How the machine runs the program.
    pub machine: MachineOptions,
    /// Answers the questions of the first worker.
    pub solver: Solver,
    /// Searcher, pruners, limits and further workers.
    pub exploration: Settings,
    /// Explore in rounds that learn, if that is wanted.
    pub learning: Option<Learning<'a>>,
    /// Where what is found comes from, if others explore.
    pub steps: Option<&'a mut dyn Steps>,
    /// Inputs to follow first, if any.
    pub seeds: Option<SeedOptions>,
    /// Run mutated inputs natively, if that is wanted.
    pub native: Option<NativeHelp>,
    /// The output folder.
    pub out: PathBuf,
    /// How the run begins, if it is kept so that it can be continued.
    pub beginning: Option<Beginning>,
    /// The run to continue, if it is one.
    pub journal: Option<Journal>,
    /// How tests are written.
    pub tests: OutOptions,
    /// Which paths become tests.
    pub keep: Keep,
    /// For the tests in C of a single function: how the program is compiled.
    pub sources: Sources,
    /// For the tests in C: tuned numbers.
    pub c_tests: CTestsTuning,
    /// Those of the campaign itself.
    pub tuning: Tuning,
    /// How many paths and open sides `paths.csv` lists.
    pub list_paths: u64,
    /// `run.log` has a line for every path.
    pub log_paths: bool,
    /// How bugs are checked on the native program; `None` if they are not. The campaign sets the deadline.
    pub confirm: Option<ReplayOptions>,
    /// Give a verdict on the program, if that is wanted.
    pub verify: Option<Verify>,
    /// Write `report.html`.
    pub report: bool,
    /// For the summary: the files of the program.
    pub program: Vec<String>,
    /// For the summary: the options that matter for what is found.
    pub echoed: BTreeMap<String, serde_json::Value>,
    /// For the summary: the function whose coverage is counted by itself.
    pub entry: Option<String>,
}
