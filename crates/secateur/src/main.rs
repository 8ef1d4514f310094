//! The command line of Secateur.

mod allocator;
mod args;
mod campaign_options;
mod cc;
mod cluster;
mod cluster_args;
mod cluster_text;
mod console;
mod each_function;
mod host_files;
mod learn_args;
mod manual;
mod progress;
mod prune;
mod reach;
mod reach_targets;
mod reach_text;
mod replay;
mod resume;
mod run;
mod runtime;
mod settings;
mod summary_text;
mod text;
mod tuning;
mod unit_args;
mod usage_error;
mod verify;
mod verify_text;
mod worker;

use std::io::Write;

use clap::error::ErrorKind;
use secateur_suite::Scratch;

use crate::args::{Cli, Command};

#[global_allocator]
static ALLOCATOR: allocator::BySize = allocator::BySize;

/// Nothing wrong was found.
const DONE: u8 = 0;
/// The command line or the given program is wrong, or a replayed test did not behave as predicted.
const BAD_INPUT: u8 = 1;
/// Secateur itself failed.
const OWN_FAULT: u8 = 2;
/// A bug was found.
const BUG_FOUND: u8 = 10;
/// Every target is reached or proved unreachable, and some are the latter.
const UNREACHABLE: u8 = 11;
/// Neither a bug nor its absence could be shown.
const UNKNOWN: u8 = 20;

/// Why a command ended early.
pub(crate) enum Failure {
    /// Something that the user can fix.
    Input(String),
    /// A fault of Secateur.
    Own(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Input(error.to_string())
    }
}

fn main() {
    // Large questions are answered by a child process, which is this program again: it can be killed.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == secateur_solver::SERVE) {
        secateur_solver::serve();
    }
    let scratch = own_temporary_folder();
    // A compiler's arguments are not ours to understand.
    let code = match cc::arguments(std::env::args_os()) {
        Some(arguments) => cc::cc(arguments),
        None => command(),
    };
    drop(scratch);
    // Nothing can be done if this fails.
    let _ = std::io::stdout().flush();
    // SAFETY: nothing runs afterwards. Everything is written; at exit, libraries would only free memory.
    unsafe { libc::_exit(i32::from(code)) }
}

/// Makes a folder for temporary files, those of the compiler included; if this process is killed, the next one removes
/// it. If none can be made, whatever needs one will report it.
fn own_temporary_folder() -> Option<Scratch> {
    let scratch = Scratch::new().ok()?;
    // SAFETY: no other thread has been started yet.
    unsafe { std::env::set_var("TMPDIR", scratch.path()) };
    Some(scratch)
}

/// Runs the command and returns the exit code.
fn command() -> u8 {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be done if even the message cannot be printed.
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                    let _ = error.print();
                    return DONE;
                }
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    let _ = error.print();
                    return BAD_INPUT;
                }
                _ => {}
            }
            eprintln!("secateur: {}", usage_error::describe(&error));
            return BAD_INPUT;
        }
    };
    let result = std::panic::catch_unwind(|| match cli.command {
        Command::Run(args) => run::run(*args),
        Command::Verify(args) => verify::verify(*args),
        Command::Reach(args) => reach::reach(*args),
        Command::Replay(args) => replay::replay(&args),
        Command::Cluster(args) => cluster::cluster(args.command),
        Command::Worker(args) => worker::worker(&args),
        Command::Cc(args) => Ok(cc::cc(args.arguments)),
        Command::Manual(args) => manual::write(Cli::complete(), &args.share).map(|()| DONE),
    });
    match result {
        Ok(Ok(code)) => code,
        Ok(Err(Failure::Input(message))) => {
            eprintln!("secateur: {message}");
            BAD_INPUT
        }
        Ok(Err(Failure::Own(message))) => {
            eprintln!("secateur: internal error: {message}");
            OWN_FAULT
        }
        // The panic has printed its message already.
        Err(_) => {
            eprintln!("secateur: this is a bug in Secateur itself; what was found before it is in the output folder");
            OWN_FAULT
        }
    }
}
