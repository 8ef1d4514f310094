//! Relations: what a condition says about a sum. Whether it is an equation, a disequality or a comparison, and whether
//! the sum wraps around or is divided, it always says that the sum, modulo some number, is in an interval of residues.

use secateur_expr::Expr;

use super::atom::{Atom, bounds};
use super::form::Form;

/// Sums with larger bounds are not read, so that computations with them do not overflow.
const MAX_BOUND: i128 = 1 << 60;

/// The modulus of a relation on integers: larger than any sum.
const NO_MODULUS: i128 = 1 << 100;

/// The form is in `low ..= low + span`, modulo `modulus`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Relation {
    /// Its constant is 0.
    pub(super) form: Form,
    pub(super) low: i128,
    pub(super) span: i128,
    pub(super) modulus: i128,
    /// No two numbers within the bounds of the form are congruent modulo `modulus`, so it can be read as a relation on
    /// integers.
    pub(super) exact: bool,
    /// The expressions that it was read from: conditions and dividends.
    pub(super) reasons: Vec<Expr>,
}

/// A relation, decided if its bounds suffice.
pub(super) enum Reading {
    Always,
    Never,
    Open(Relation),
}

impl Relation {
    /// The form is in `low ..= high`, which has fewer than `modulus` members, modulo `modulus`; as an integer if there
    /// is none.
    pub(super) fn new(form: Form, (low, high): (i128, i128), modulus: Option<i128>, reasons: Vec<Expr>) -> Relation {
        Relation {
            low: low - form.constant,
            span: high - low,
            modulus: modulus.unwrap_or(NO_MODULUS),
            exact: false,
            reasons,
            form: Form { constant: 0, ..form },
        }
    }

    /// Uses the bounds of the form. If at most two intervals of residues are within them, the modulus is replaced by
    /// one that distinguishes all numbers within them. `None` if the bounds are too large.
    pub(super) fn bounded(mut self, atoms: &[Atom]) -> Option<Reading> {
        let (least, most) = bounds(&self.form, atoms);
        if least < -MAX_BOUND || most > MAX_BOUND {
            return None;
        }
        if self.span < 0 {
            return Some(Reading::Never);
        }
        if self.span >= self.modulus - 1 {
            return Some(Reading::Always);
        }
        let room = most - least + 1;
        let after_least = (least - self.low).rem_euclid(self.modulus);
        let after_most = (most - self.low).rem_euclid(self.modulus);
        // How far the first interval within the bounds starts from the least value; it may start before.
        let ahead = if after_least <= self.span { -after_least } else { self.modulus - after_least };
        let (first, first_ends) = (least + ahead.max(0), least + ahead + self.span);
        let last = if after_most <= self.span { most } else { most - (after_most - self.span) };
        if first > last {
            return Some(Reading::Never);
        }
        if first_ends >= last {
            // There is only one interval within the bounds.
            if (first, last) == (least, most) {
                return Some(Reading::Always);
            }
            (self.low, self.span) = (first, last - first);
        } else if self.modulus >= room {
            // There are two: one at the least value, and one at the greatest.
            let last_starts = most - after_most;
            (self.low, self.span) = (last_starts, first_ends + room - last_starts);
        } else {
            self.low = self.low.rem_euclid(self.modulus);
            return Some(Reading::Open(self));
        }
        self.modulus = room;
        self.exact = true;
        Some(Reading::Open(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_expr::Pool;

    /// Bounds do not change which values within them satisfy the relation.
    #[test]
    fn bounds_preserve_the_values_within_them() {
        let pool = Pool::new();
        let says = |low: i128, span: i128, modulus: i128, value: i128| (value - low).rem_euclid(modulus) <= span;
        for modulus in [1, 2, 5, 8, 13] {
            for (low, span) in (-3..12).flat_map(|low| (-1..modulus).map(move |span| (low, span))) {
                for (least, most) in (-9..9).flat_map(|least| (least..10).map(move |most| (least, most))) {
                    let relation =
                        Relation::new(Form::atom(0), (low, low + span), Some(modulus), vec![pool.bool(true)]);
                    let reading =
                        relation.bounded(&[Atom { variable: 0, table: None, bounds: (least, most) }]).unwrap();
                    for value in least..=most {
                        let expected = span >= 0 && says(low, span, modulus, value);
                        let got = match &reading {
                            Reading::Always => true,
                            Reading::Never => false,
                            Reading::Open(relation) => says(relation.low, relation.span, relation.modulus, value),
                        };
                        assert_eq!(got, expected, "{value} in {low}+{span} mod {modulus}, within {least}..={most}");
                    }
                }
            }
        }
    }
}
