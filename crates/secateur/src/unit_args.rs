//! The arguments that say how a single function is tested.

use clap::Args;
use secateur_program::{SymbolicGlobals, UnitOptions};

/// What a function under test is given.
#[derive(Args)]
#[command(next_help_heading = "Single functions (--entry, --each-function)")]
pub(crate) struct UnitArgs {
    /// Test every function of the given files by itself, static ones included, each into OUT/FUNCTION; main is excluded
    #[arg(long, conflicts_with_all = ["entry", "max_len", "seeds"])]
    pub each_function: bool,

    /// How many elements a pointer points to [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub array_len: Option<u32>,

    /// How many characters a string (a pointer to char) may have [default: 8]
    #[arg(long, value_name = "N")]
    pub str_len: Option<u32>,

    /// How many pointers are followed in a chain, such as the nodes of a list; further ones are NULL [default: 3]
    #[arg(long, value_name = "N")]
    pub pointer_depth: Option<u32>,

    /// Pointer parameters are never NULL (pointers in the objects they point to may be)
    #[arg(long)]
    pub non_null: bool,

    /// Make global variables symbolic, too: all writable ones of the function's file, or the named ones
    #[arg(long, value_name = "NAME,…", num_args = 0..=1, require_equals = true, value_delimiter = ',')]
    pub sym_globals: Option<Vec<String>>,
}

impl UnitArgs {
    /// Refuses options that make no sense without a function to test.
    pub(crate) fn check(&self, entry: Option<&str>) -> Result<(), String> {
        let given = [
            ("--array-len", self.array_len.is_some()),
            ("--str-len", self.str_len.is_some()),
            ("--pointer-depth", self.pointer_depth.is_some()),
            ("--non-null", self.non_null),
            ("--sym-globals", self.sym_globals.is_some()),
        ];
        match given.iter().find(|(_, given)| *given && entry.is_none() && !self.each_function) {
            Some((option, _)) => {
                Err(format!("{option} is for single functions: name one with --entry, or give --each-function"))
            }
            None => Ok(()),
        }
    }

    /// How a function is tested.
    pub(crate) fn options(&self, function: &str) -> UnitOptions {
        UnitOptions {
            function: function.to_string(),
            array_len: self.array_len.unwrap_or(8),
            str_len: self.str_len.unwrap_or(8),
            pointer_depth: self.pointer_depth.unwrap_or(3),
            non_null: self.non_null,
            globals: match &self.sym_globals {
                None => SymbolicGlobals::None,
                Some(names) if names.is_empty() => SymbolicGlobals::All,
                Some(names) => SymbolicGlobals::Named(names.clone()),
            },
        }
    }
}
