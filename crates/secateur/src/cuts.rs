//! `--prune`: which paths are not to be taken.

use std::fmt;

use secateur_explore::prune::{Items, Lookahead, MaxCallDepth, Pruner};

use crate::Failure;
use crate::args::ExplorationArgs;

/// One cut, as it is named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    None,
    Lookahead,
    MaxCallDepth(u32),
}

const NAMES: &str = "it can be `lookahead`, `max-call-depth=N` or `none`";

/// Reads one name.
pub(crate) fn parse(text: &str) -> Result<Cut, String> {
    match text.split_once('=') {
        None if text == "none" => Ok(Cut::None),
        None if text == "lookahead" => Ok(Cut::Lookahead),
        Some(("max-call-depth", depth)) => depth
            .parse()
            .map(Cut::MaxCallDepth)
            .map_err(|_| "give a number of calls such as max-call-depth=2".to_string()),
        _ if text.starts_with("max-call-depth") => Err("give a number of calls such as max-call-depth=2".to_string()),
        _ => Err(format!("there is no such cut; {NAMES}")),
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::None => write!(f, "none"),
            Cut::Lookahead => write!(f, "lookahead"),
            Cut::MaxCallDepth(depth) => write!(f, "max-call-depth={depth}"),
        }
    }
}

/// The cuts that were asked for, if they go together.
pub(crate) fn pruners(args: &ExplorationArgs) -> Result<Vec<Box<dyn Pruner>>, Failure> {
    let named = &args.prune;
    let list = || named.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let kinds: Vec<_> = named.iter().map(std::mem::discriminant).collect();
    if let Some(twice) = named.iter().enumerate().find(|(index, _)| kinds[..*index].contains(&kinds[*index])) {
        return Err(Failure::Input(format!("--prune {}: `{}` is one too many", list(), twice.1)));
    }
    if named.len() > 1 && named.contains(&Cut::None) {
        return Err(Failure::Input(format!("--prune {}: `none` does not go with others", list())));
    }
    let items = Items {
        branches: args.cover.iter().any(|name| name == "branches"),
        blocks: args.cover.iter().any(|name| name == "blocks"),
    };
    if items != Items::ALL && !named.contains(&Cut::Lookahead) {
        return Err(Failure::Input("--cover has no effect without --prune lookahead".to_string()));
    }
    let pruner = |cut: &Cut| -> Option<Box<dyn Pruner>> {
        match cut {
            Cut::None => None,
            Cut::Lookahead => Some(Box::new(Lookahead::new(items))),
            Cut::MaxCallDepth(depth) => Some(Box::new(MaxCallDepth(*depth))),
        }
    };
    Ok(named.iter().filter_map(pruner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_read_as_they_are_printed() {
        for cut in [Cut::None, Cut::Lookahead, Cut::MaxCallDepth(3)] {
            assert_eq!(parse(&cut.to_string()), Ok(cut));
        }
        assert!(parse("max-call-depth").is_err() && parse("max-call-depth=x").is_err() && parse("x").is_err());
    }
}
