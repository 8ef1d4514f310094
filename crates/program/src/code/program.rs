//! The whole program.

use serde::{Deserialize, Serialize};

use super::{Branch, FuncId, Function, Global, LocId, Location, SourceBranch};
use crate::names::Names;

/// A loaded program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// All functions, defined and declared.
    pub functions: Vec<Function>,
    /// All global variables.
    pub globals: Vec<Global>,
    /// All conditional branches and switches.
    pub branches: Vec<Branch>,
    /// Which branch of the source each of them is; if there is no entry, one by itself.
    pub source_branches: Vec<SourceBranch>,
    /// All source locations; entry 0 is unknown.
    pub locations: Vec<Location>,
    /// The source files, as the debug information names them; entry 0 is "?".
    pub files: Vec<String>,
    /// Functions to run before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// Functions to run after `main`, in order.
    pub destructors: Vec<FuncId>,
    /// The function to start with.
    pub entry: Option<FuncId>,
    /// Names and types of the user's variables.
    pub names: Names,
}

impl Program {
    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| &*f.name == name).map(|i| FuncId(i as u32))
    }

    /// Whether this is the function of the C library that runs the program's destructors when it ends.
    pub fn runs_destructors(&self, function: FuncId) -> bool {
        let function = &self.functions[function.index()];
        &*function.name == "exit" && !function.user
    }

    /// `file:line` of a location, or "?".
    pub fn describe(&self, loc: LocId) -> String {
        match self.locations.get(loc.index()) {
            Some(at) if at.line > 0 => format!("{}:{}", self.files[at.file as usize], at.line),
            _ => "?".to_string(),
        }
    }
}
