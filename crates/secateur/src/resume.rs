//! `secateur run --resume`: continues a run that was stopped or killed.

use std::ffi::OsString;
use std::path::Path;

use secateur_campaign::{Beginning, Journal, VERSION};

use crate::args::{Cli, Command};
use crate::{Failure, run, usage_error, verify};

/// How this run begins; `None` if its arguments or its folder are not text.
pub(crate) fn beginning() -> Option<Beginning> {
    let arguments = std::env::args_os().skip(1).map(OsString::into_string).collect::<Result<_, _>>().ok()?;
    Some(Beginning { version: VERSION.to_string(), arguments, folder: std::env::current_dir().ok()? })
}

/// Continues the run in an output folder. What is given on the command line besides replaces what was given then.
pub(crate) fn resume(out: &Path) -> Result<u8, Failure> {
    let out = std::path::absolute(out)?;
    let journal = Journal::read(&out)?;
    let Beginning { arguments, folder, .. } = &journal.beginning;
    let given =
        std::iter::once(OsString::from("secateur")).chain(arguments.iter().map(OsString::from)).chain(besides());
    let cli = Cli::read_with_overrides(given).map_err(|error| Failure::Input(usage_error::describe(&error)))?;
    std::env::set_current_dir(folder)
        .map_err(|error| Failure::Input(format!("{}: that run was started there: {error}", folder.display())))?;
    let mut args = match cli.command {
        Command::Run(args) => *args,
        Command::Verify(args) => verify::options_of_run(*args),
        _ => return Err(Failure::Input(format!("{}: it is not of `secateur run` or `verify`", out.display()))),
    };
    args.out = out;
    run::start(args, Some(journal))
}

/// The arguments of this command besides `run` and `--resume DIR`.
fn besides() -> Vec<OsString> {
    let mut besides = Vec::new();
    let mut arguments = std::env::args_os().skip(2);
    while let Some(argument) = arguments.next() {
        if argument == "--resume" {
            arguments.next();
        } else if !argument.to_string_lossy().starts_with("--resume=") {
            besides.push(argument);
        }
    }
    besides
}
