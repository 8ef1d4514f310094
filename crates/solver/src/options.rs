//! The options of a solver.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::rungs::RungSet;
use crate::{ConcreteSearchTuning, SolverProcess, Tuning};

/// The settings of a [`Solver`](crate::Solver).
#[derive(Clone, Debug)]
pub struct Options {
    /// The SMT library that answers what the cheaper rungs do not.
    pub backend: BackendKind,
    /// How long the backend may take for one question.
    pub timeout: Duration,
    /// Which rungs of the ladder are used.
    pub rungs: RungSet,
    /// A folder that receives every question to the backend as an SMT-LIB file.
    pub dump: Option<PathBuf>,
    /// Check every answer against all backends, and keep the disagreements.
    pub cross_check: bool,
    /// The seed of the backend's random choices.
    pub seed: u64,
    /// How to start the process that answers large questions, which can be killed when the time is over. Without it, a
    /// backend may exceed the time limit on them.
    pub process: Option<SolverProcess>,
    /// Numbers for measurements.
    pub tuning: Tuning,
    /// The same of the search of the rung `walk`.
    pub concrete: ConcreteSearchTuning,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            backend: BackendKind::Bitwuzla,
            timeout: Duration::from_secs(10),
            rungs: RungSet::all(),
            dump: None,
            cross_check: false,
            seed: 0,
            process: None,
            tuning: Tuning::default(),
            concrete: ConcreteSearchTuning::default(),
        }
    }
}

/// The SMT solvers that can be used.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BackendKind {
    /// Bitwuzla.
    Bitwuzla,
    /// Z3.
    Z3,
}

impl BackendKind {
    /// All of them.
    pub const ALL: [BackendKind; 2] = [BackendKind::Bitwuzla, BackendKind::Z3];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            BackendKind::Bitwuzla => "bitwuzla",
            BackendKind::Z3 => "z3",
        }
    }

    /// The backend of that name.
    pub fn from_name(name: &str) -> Option<BackendKind> {
        BackendKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
