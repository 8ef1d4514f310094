//! Proves the rewrite rules: no input distinguishes the left side, built without rules, from the right side.

use std::time::Duration;

use secateur_expr::rules::WIDTHS;
use secateur_expr::{ALL_RULES, Pool, RuleSet};
use secateur_solver::{BackendAnswer, BackendKind, Deadline, Options, backend};

/// Above this width a multiplication may take a solver too long; such proofs are attempted but not required.
const REQUIRED_WIDTH: u8 = 32;

#[test]
fn every_rule_is_proved() {
    let mut proved = 0;
    let mut open = Vec::new();
    for rule in ALL_RULES.iter() {
        let mut backend = backend(BackendKind::Bitwuzla, &Options::default()).unwrap();
        for (number, build) in rule.examples.iter().enumerate() {
            for &width in WIDTHS {
                let mut rewritten = Pool::new();
                let after = build(&mut rewritten, width);
                let mut plain = Pool::with_rules(RuleSet::none());
                let before = build(&mut plain, width);
                let after = plain.import(&rewritten, &[after])[0];
                let different = plain.ne(before, after);
                let limit = Duration::from_secs(if width <= REQUIRED_WIDTH { 120 } else { 2 });
                backend.forget().unwrap();
                match backend.check(&plain, &[different], &Deadline::lasting(limit)).unwrap() {
                    BackendAnswer::Unsat { .. } => proved += 1,
                    BackendAnswer::Sat(input) => panic!(
                        "{} is wrong at width {width}: {} became {} but differs on {input:?}",
                        rule.name,
                        plain.display(before),
                        plain.display(after)
                    ),
                    BackendAnswer::Unknown(_) => open.push(format!("{} example {number} at {width}", rule.name)),
                }
            }
        }
        assert!(!rule.examples.is_empty(), "{} has no example to prove", rule.name);
    }
    assert!(proved >= ALL_RULES.len() * 3, "only {proved} proofs");
    assert!(open.iter().all(|name| name.ends_with(" at 64")), "not proved: {open:?}");
}
