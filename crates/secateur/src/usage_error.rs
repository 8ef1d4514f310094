//! Errors in the command line as one sentence: what is wrong and the nearest valid name, without the usage text.

use std::error::Error as _;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::Cli;

/// The sentence. It is built from the structured error, so it does not depend on how clap prints it.
pub(crate) fn describe(error: &clap::Error) -> String {
    if names(error, ContextKind::InvalidSubcommand) == ["c++"] {
        return "C++ is not supported; `secateur cc` compiles C".to_string();
    }
    let mut sentence = complaint(error);
    let possible = match error.kind() {
        ErrorKind::InvalidSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let command = Cli::command();
            let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
            shown.map(|command| command.get_name().to_string()).collect()
        }
        _ => names(error, ContextKind::ValidValue),
    };
    if !possible.is_empty() {
        sentence.push_str(&format!("; it can be {}", quoted(&possible)));
    }
    for (kind, what) in [(ContextKind::SuggestedArg, "argument"), (ContextKind::SuggestedValue, "value")] {
        match &names(error, kind)[..] {
            [] => {}
            [name] => sentence.push_str(&format!("; a similar {what} exists: `{name}`")),
            names => sentence.push_str(&format!("; some similar {what}s exist: {}", quoted(names))),
        }
    }
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        tips.iter().for_each(|tip| sentence.push_str(&format!("; {}", tip.to_string().replace('\'', "`"))));
    }
    sentence
}

fn complaint(error: &clap::Error) -> String {
    let argument = || quoted(&names(error, ContextKind::InvalidArg));
    let value = || quoted(&names(error, ContextKind::InvalidValue));
    let number = |kind| match error.get(kind) {
        Some(ContextValue::Number(number)) => *number,
        _ => 0,
    };
    let provided = || match number(ContextKind::ActualNumValues) {
        1 => "1 was provided".to_string(),
        number => format!("{number} were provided"),
    };
    match error.kind() {
        ErrorKind::UnknownArgument => format!("unexpected argument {} found", argument()),
        ErrorKind::InvalidSubcommand => {
            format!("unrecognized subcommand {}", quoted(&names(error, ContextKind::InvalidSubcommand)))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a subcommand is missing".to_string(),
        ErrorKind::MissingRequiredArgument => {
            let missing = names(error, ContextKind::InvalidArg);
            format!("the following required arguments were not provided: {}", missing.join(" "))
        }
        ErrorKind::InvalidValue if names(error, ContextKind::InvalidValue).concat().is_empty() => {
            format!("a value is required for {} but none was supplied", argument())
        }
        ErrorKind::InvalidValue => format!("invalid value {} for {}", value(), argument()),
        ErrorKind::ValueValidation => {
            let reason = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            format!("invalid value {} for {}{reason}", value(), argument())
        }
        ErrorKind::ArgumentConflict => {
            let (given, prior) = (names(error, ContextKind::InvalidArg), names(error, ContextKind::PriorArg));
            match &prior[..] {
                prior if prior == given => format!("the argument {} cannot be used multiple times", argument()),
                [] => format!("the argument {} cannot be used with the others", argument()),
                prior => format!("the argument {} cannot be used with {}", argument(), quoted(prior)),
            }
        }
        ErrorKind::NoEquals => format!("equal sign is needed when assigning values to {}", argument()),
        ErrorKind::TooManyValues => {
            format!("unexpected value {} for {} found; no more were expected", value(), argument())
        }
        ErrorKind::TooFewValues => {
            format!("{} values required by {}; only {}", number(ContextKind::MinValues), argument(), provided())
        }
        ErrorKind::WrongNumberOfValues => {
            let expected = number(ContextKind::ExpectedNumValues);
            format!("{expected} values required for {} but {}", argument(), provided())
        }
        kind => kind.to_string(),
    }
}

/// The context of one kind, as a list of names.
fn names(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(name)) => vec![name.clone()],
        Some(ContextValue::Strings(names)) => names.clone(),
        _ => Vec::new(),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let error = Cli::try_parse_from(line.split(' ')).err().expect("the line is wrong");
        assert_eq!(describe(&error), expected);
    }

    #[test]
    fn each_kind_of_error_is_one_sentence() {
        check(
            "secateur",
            "a subcommand is missing; it can be `run`, `verify`, `reach`, `replay`, `cluster`, `worker`, `cc`",
        );
        check(
            "secateur walk",
            "unrecognized subcommand `walk`; it can be `run`, `verify`, `reach`, `replay`, `cluster`, `worker`, `cc`",
        );
        check("secateur c++ a.cc", "C++ is not supported; `secateur cc` compiles C");
        check("secateur run", "the following required arguments were not provided: <PROGRAM>...");
        check("secateur run a.c -O9", "invalid value `9` for `-O <LEVEL>`; it can be `0`, `1`, `2`, `3`");
        check("secateur run a.c --out", "a value is required for `--out <DIR>` but none was supplied");
        check(
            "secateur run a.c --max-time x",
            "invalid value `x` for `--max-time <TIME>`: give a time such as 30s, 5m or 2h",
        );
        check(
            "secateur run a.c --entry f --each-function",
            "the argument `--entry <FUNCTION>` cannot be used with `--each-function`",
        );
        check(
            "secateur run a.c --entry=f --entry=g",
            "the argument `--entry <FUNCTION>` cannot be used multiple times",
        );
        check("secateur run a.c --quiet=3", "unexpected value `3` for `--quiet` found; no more were expected");
        check(
            "secateur run a.c --sym-args 1 2",
            "3 values required for `--sym-args <MIN> <MAX> <LEN>` but 2 were provided",
        );
    }

    #[test]
    fn the_nearest_name_is_given() {
        check(
            "secateur run --serch=x a.c",
            "unexpected argument `--serch` found; a similar argument exists: `--search`",
        );
        check(
            "secateur run --foo a.c",
            "unexpected argument `--foo` found; to pass `--foo` as a value, use `-- --foo`",
        );
        check(
            "secateur run a.c --solver=z",
            "invalid value `z` for `--solver <NAME>`; it can be `bitwuzla`, `z3`; a similar value exists: `z3`",
        );
    }
}
