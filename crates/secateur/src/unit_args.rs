//! The arguments that say how a single function is tested.

use clap::Args;
use secateur_program::{SymbolicGlobals, UnitOptions};

/// What a function under test is given.
#[derive(Args)]
#[command(next_help_heading = "Single functions (--entry, --each-function)")]
pub(crate) struct UnitArgs {
    /// Test every function of the given files by itself, static ones included, each into OUT/FUNCTION; main is left out
    #[arg(long, conflicts_with_all = ["entry", "max_len"])]
    pub each_function: bool,

    /// How many elements a pointer points to
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub array_len: u32,

    /// How many characters a string (a pointer to char) may have
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub str_len: u32,

    /// How many pointers are followed one after the other, such as the nodes of a list; further ones are NULL
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub pointer_depth: u32,

    /// Pointer parameters are never NULL (pointers inside of what they point to may be)
    #[arg(long)]
    pub non_null: bool,

    /// Global variables are input, too: all that can change of the function's file, or the named ones
    #[arg(long, value_name = "NAME,…", num_args = 0..=1, require_equals = true, value_delimiter = ',')]
    pub sym_globals: Option<Vec<String>>,
}

impl UnitArgs {
    /// Refuses what makes no sense without a function to test.
    pub(crate) fn check(&self, entry: Option<&str>) -> Result<(), String> {
        if self.sym_globals.is_some() && entry.is_none() && !self.each_function {
            return Err(
                "--sym-globals is for single functions: name one with --entry, or give --each-function".to_string()
            );
        }
        Ok(())
    }

    /// How a function is tested.
    pub(crate) fn options(&self, function: &str) -> UnitOptions {
        UnitOptions {
            function: function.to_string(),
            array_len: self.array_len,
            str_len: self.str_len,
            pointer_depth: self.pointer_depth,
            non_null: self.non_null,
            globals: match &self.sym_globals {
                None => SymbolicGlobals::None,
                Some(names) if names.is_empty() => SymbolicGlobals::All,
                Some(names) => SymbolicGlobals::Named(names.clone()),
            },
        }
    }
}
