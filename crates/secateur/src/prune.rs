//! `--prune`: which flips are not tried.

use std::fmt;

use secateur_explore::MakeSubsumption;
use secateur_explore::prune::{Items, Lookahead, MaxCallDepth, Pruner};
use secateur_program::nearest;

use crate::Failure;
use crate::args::RunArgs;

/// A pruner as it is named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pruning {
    None,
    Lookahead {
        /// Checks that may still fail keep a path alive, as uncovered code does.
        bugs: bool,
    },
    MaxCallDepth(u32),
    Interpolation,
    /// Loops are proved by induction; only for `verify`, since this loses coverage.
    Invariants,
}

/// The names, without their values.
const NAMES: [&str; 5] = ["interpolation", "invariants", "lookahead", "max-call-depth", "none"];

/// Reads one name.
pub(crate) fn parse(text: &str) -> Result<Pruning, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    match (name, value) {
        ("none", None) => Ok(Pruning::None),
        ("interpolation", None) => Ok(Pruning::Interpolation),
        ("invariants", None) => Ok(Pruning::Invariants),
        ("lookahead", None) => Ok(Pruning::Lookahead { bugs: true }),
        ("lookahead", Some("coverage")) => Ok(Pruning::Lookahead { bugs: false }),
        ("lookahead", Some(_)) => Err("the only value is lookahead=coverage".to_string()),
        ("max-call-depth", depth) => depth
            .and_then(|depth| depth.parse().ok())
            .map(Pruning::MaxCallDepth)
            .ok_or_else(|| "give a number of calls such as max-call-depth=2".to_string()),
        _ => Err(match nearest(name, NAMES.map(String::from).into_iter()) {
            meant if meant.is_empty() => {
                "there is no such pruner; it can be `lookahead`, `lookahead=coverage`, `max-call-depth=N`, \
                 `interpolation`, `invariants` or `none`"
                    .to_string()
            }
            meant => format!("there is no such pruner; did you mean `{meant}`?"),
        }),
    }
}

impl fmt::Display for Pruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pruning::None => write!(f, "none"),
            Pruning::Interpolation => write!(f, "interpolation"),
            Pruning::Invariants => write!(f, "invariants"),
            Pruning::Lookahead { bugs: true } => write!(f, "lookahead"),
            Pruning::Lookahead { bugs: false } => write!(f, "lookahead=coverage"),
            Pruning::MaxCallDepth(depth) => write!(f, "max-call-depth={depth}"),
        }
    }
}

/// The chosen pruners: those that were named, or else look-ahead, which loses nothing. With `--all-tests` the default
/// is none, since a test for every path needs every path.
pub(crate) fn chosen(args: &RunArgs) -> Vec<Pruning> {
    match &args.exploration.prune[..] {
        [] if args.output.all_tests => vec![Pruning::None],
        [] => vec![Pruning::Lookahead { bugs: true }],
        named => named.to_vec(),
    }
}

/// Ends paths that can add nothing, if that is wanted.
pub(crate) fn subsumption(args: &RunArgs) -> Result<Option<MakeSubsumption>, Failure> {
    let tuning = crate::settings::tuning(args)?.interpolation;
    let chosen = chosen(args);
    let invariants = chosen.contains(&Pruning::Invariants);
    Ok(chosen.contains(&Pruning::Interpolation).then(|| secateur_interpolation::maker(tuning, invariants)))
}

/// Makes the chosen pruners, if they can be combined.
pub(crate) fn pruners(args: &RunArgs) -> Result<Vec<Box<dyn Pruner>>, Failure> {
    let chosen = chosen(args);
    let list = || chosen.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let kinds: Vec<_> = chosen.iter().map(std::mem::discriminant).collect();
    if let Some(twice) = chosen.iter().enumerate().find(|(index, _)| kinds[..*index].contains(&kinds[*index])) {
        return Err(Failure::Input(format!("--prune {}: `{}` is one too many", list(), twice.1)));
    }
    if chosen.len() > 1 && chosen.contains(&Pruning::None) {
        return Err(Failure::Input(format!("--prune {}: `none` cannot be combined with others", list())));
    }
    if chosen.contains(&Pruning::Invariants) && args.verify.is_none() {
        return Err(Failure::Input(format!(
            "--prune {}: `invariants` loses coverage, so it works with `secateur verify` only",
            list()
        )));
    }
    if chosen.contains(&Pruning::Invariants) && !chosen.contains(&Pruning::Interpolation) {
        return Err(Failure::Input(format!("--prune {}: `invariants` needs `interpolation`", list())));
    }
    let covers = |name: &str| args.exploration.cover.iter().any(|cover| cover == name);
    let coverage = Items { branches: covers("branches"), blocks: covers("blocks"), ..Items::COVERAGE };
    if coverage != Items::COVERAGE && !chosen.iter().any(|pruning| matches!(pruning, Pruning::Lookahead { .. })) {
        return Err(Failure::Input("--cover has no effect without --prune lookahead".to_string()));
    }
    let pruner = |pruning: &Pruning| -> Option<Box<dyn Pruner>> {
        match pruning {
            Pruning::None | Pruning::Interpolation | Pruning::Invariants => None,
            Pruning::Lookahead { bugs } => Some(Box::new(Lookahead::new(Items { bugs: *bugs, ..coverage }))),
            Pruning::MaxCallDepth(depth) => Some(Box::new(MaxCallDepth(*depth))),
        }
    };
    Ok(chosen.iter().filter_map(pruner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        let lookahead = |bugs| Pruning::Lookahead { bugs };
        for pruning in [Pruning::None, Pruning::Invariants, lookahead(true), lookahead(false), Pruning::MaxCallDepth(3)]
        {
            assert_eq!(parse(&pruning.to_string()), Ok(pruning));
        }
        for wrong in ["max-call-depth", "max-call-depth=x", "x", "lookahead=", "lookahead=bugs", "none=1"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        assert_eq!(parse("lokahead"), Err("there is no such pruner; did you mean `lookahead`?".to_string()));
        assert_eq!(
            parse("max-cal-depth=2"),
            Err("there is no such pruner; did you mean `max-call-depth`?".to_string())
        );
    }
}
