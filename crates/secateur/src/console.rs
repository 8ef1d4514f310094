//! What is said on the console: results on standard output, and one sentence for each error.

use std::fmt::Display;
use std::io::{ErrorKind, Write};

use clap::CommandFactory;

use crate::Failure;
use crate::args::Cli;

/// Prints a result. A reader that has seen enough is no error; a full disk is.
pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Input(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// What is wrong with a command line, as one sentence: the complaint and the nearest name, without the usage.
pub(crate) fn usage_error(error: &clap::Error) -> String {
    let text = error.to_string();
    let complaint: Vec<&str> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let complaint = complaint.join(" ").trim_start_matches("error: ").replace('\'', "`");
    let mut sentence = match complaint.split_once(" [possible values: ") {
        Some((complaint, values)) => {
            let values = values.trim_end_matches(']').replace(", ", "`, `");
            format!("{complaint}; it can be `{values}`")
        }
        None => complaint,
    };
    if error.kind() == clap::error::ErrorKind::InvalidSubcommand {
        let names: Vec<String> =
            Cli::command().get_subcommands().map(|command| format!("`{}`", command.get_name())).collect();
        sentence.push_str(&format!("; it can be {}", names.join(", ")));
    }
    for tip in text.lines().filter_map(|line| line.trim().strip_prefix("tip: ")) {
        sentence.push_str("; ");
        sentence.push_str(&tip.replace('\'', "`"));
    }
    sentence
}
