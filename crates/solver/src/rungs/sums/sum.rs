//! A relation as the search uses it: a sum of functions of single variables, and the residues that it may have.

use secateur_expr::ByteSet;

use super::atom::Atom;
use super::relation::Relation;

/// The remaining values of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Domain {
    pub(super) values: ByteSet,
    pub(super) count: u16,
    least: u8,
    most: u8,
}

impl Domain {
    pub(super) fn new(values: ByteSet) -> Domain {
        let (least, most) = (values.first().unwrap_or(0), values.last().unwrap_or(0));
        Domain { values, count: values.len(), least, most }
    }

    fn between(&self, least: i64, most: i64) -> Domain {
        // Bounds outside of a byte's range leave nothing.
        let within = match (u8::try_from(least.max(0)), u8::try_from(most.min(255))) {
            (Ok(least), Ok(most)) => ByteSet::range(least, most),
            _ => ByteSet::EMPTY,
        };
        Domain::new(self.values & within)
    }

    fn without(&self, mut drop: impl FnMut(u8) -> bool) -> Domain {
        let mut values = self.values;
        self.values.iter().filter(|&value| drop(value)).for_each(|value| values.remove(value));
        Domain::new(values)
    }
}

/// The contribution of one variable to a sum.
struct Term {
    variable: usize,
    contribution: Contribution,
}

enum Contribution {
    /// The value times a factor.
    Linear(i64),
    /// A table by value.
    Table(Box<[i64; 256]>),
}

/// The sum is in `low ..= low + span`, modulo `modulus`.
pub(super) struct Sum {
    terms: Vec<Term>,
    low: i64,
    span: i64,
    modulus: i64,
}

/// The result of propagating a sum.
#[derive(Default)]
pub(super) struct Narrowed {
    /// The variables that lost values, with what remains.
    pub(super) domains: Vec<(usize, Domain)>,
    /// How many terms and values were visited.
    pub(super) work: usize,
}

/// No remaining values of its variables satisfy a sum.
pub(super) struct Conflict;

impl Sum {
    /// `None` if its numbers do not fit.
    pub(super) fn new(relation: &Relation, atoms: &[Atom]) -> Option<Sum> {
        let mut terms: Vec<Term> = Vec::new();
        for &(atom, factor) in &relation.form.terms {
            let Atom { variable, table, .. } = &atoms[atom];
            let factor = i64::try_from(factor).ok()?;
            let contribution = match table {
                None => Contribution::Linear(factor),
                Some(table) => {
                    let mut scaled = table.clone();
                    for value in scaled.iter_mut() {
                        *value = value.checked_mul(factor)?;
                    }
                    Contribution::Table(scaled)
                }
            };
            match terms.iter_mut().find(|term| term.variable == *variable) {
                None => terms.push(Term { variable: *variable, contribution }),
                Some(term) => {
                    let both = |value: u8| term.contribution.of(value).checked_add(contribution.of(value));
                    let mut table = Box::new([0; 256]);
                    for value in 0..=u8::MAX {
                        table[usize::from(value)] = both(value)?;
                    }
                    term.contribution = Contribution::Table(table);
                }
            }
        }
        let small = |number: i128| i64::try_from(number).ok().filter(|number| number.abs() < 1 << 61);
        Some(Sum { terms, low: small(relation.low)?, span: small(relation.span)?, modulus: small(relation.modulus)? })
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().map(|term| term.variable)
    }

    /// Drops values that cannot satisfy the sum. With one open variable, exactly the values that do remain; otherwise
    /// only the bounds of the variables are considered.
    pub(super) fn narrow(&self, domains: &[Domain], narrowed: &mut Narrowed) -> Result<(), Conflict> {
        let (mut least, mut most) = (0, 0);
        let mut open = 0;
        for term in &self.terms {
            let domain = &domains[term.variable];
            let (a, b) = term.contribution.bounds(domain);
            least += a;
            most += b;
            open += usize::from(domain.count > 1);
            narrowed.work += term.contribution.work(domain);
        }
        let after_least = (least - self.low).rem_euclid(self.modulus);
        if after_least <= self.span && most - least <= self.span - after_least {
            return Ok(());
        }
        let after_most = (most - self.low).rem_euclid(self.modulus);
        let first = if after_least <= self.span { least } else { least + self.modulus - after_least };
        let last = if after_most <= self.span { most } else { most - (after_most - self.span) };
        if first > last {
            return Err(Conflict);
        }
        if open > 1 && first == least && last == most {
            return Ok(());
        }
        for term in self.terms.iter().filter(|term| domains[term.variable].count > 1) {
            let domain = &domains[term.variable];
            let (a, b) = term.contribution.bounds(domain);
            let (from, to) = (first - (most - b), last - (least - a));
            let left = if open == 1 {
                narrowed.work += usize::from(domain.count);
                let others = least - a - self.low;
                domain.without(|value| (others + term.contribution.of(value)).rem_euclid(self.modulus) > self.span)
            } else if from > a || to < b {
                narrowed.work += term.contribution.work(domain);
                term.contribution.within(domain, from, to)
            } else {
                continue;
            };
            if left.count == 0 {
                return Err(Conflict);
            }
            if left.count < domain.count {
                narrowed.domains.push((term.variable, left));
            }
        }
        Ok(())
    }
}

impl Contribution {
    fn of(&self, value: u8) -> i64 {
        match self {
            Contribution::Linear(factor) => factor * i64::from(value),
            Contribution::Table(table) => table[usize::from(value)],
        }
    }

    /// The least and the greatest contribution of the remaining values.
    fn bounds(&self, domain: &Domain) -> (i64, i64) {
        let (a, b) = (self.of(domain.least), self.of(domain.most));
        match self {
            Contribution::Linear(_) => (a.min(b), a.max(b)),
            Contribution::Table(table) => domain
                .values
                .iter()
                .map(|value| table[usize::from(value)])
                .fold((a, a), |(least, most), value| (least.min(value), most.max(value))),
        }
    }

    /// The values whose contribution is between two numbers.
    fn within(&self, domain: &Domain, from: i64, to: i64) -> Domain {
        match self {
            Contribution::Linear(factor) => {
                let (from, to) = if *factor > 0 { (from, to) } else { (-to, -from) };
                let factor = factor.abs();
                domain.between(-(-from).div_euclid(factor), to.div_euclid(factor))
            }
            Contribution::Table(table) => domain.without(|value| !(from..=to).contains(&table[usize::from(value)])),
        }
    }

    /// How many values `bounds` and `within` visit.
    fn work(&self, domain: &Domain) -> usize {
        match self {
            Contribution::Linear(_) => 1,
            Contribution::Table(_) => usize::from(domain.count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_bounds_are_left() {
        let has = |value: u8| value < 64 || value < 80 && value.is_multiple_of(2) || value == 191 || value > 192;
        let domain = Domain::new(ByteSet::from_fn(has));
        for (least, most) in [(0, 255), (-7, 300), (3, 64), (64, 127), (65, 191), (192, 192), (9, 8), (300, 400)] {
            let expected = domain.without(|value| !(least..=most).contains(&i64::from(value)));
            assert_eq!(domain.between(least, most), expected, "{least}..={most}");
        }
    }

    /// Pairs of values that satisfy the sum stay, and with one open variable only those do.
    #[test]
    fn only_wrong_values_are_dropped() {
        let step = |size: u64| {
            move |seed: &mut u64| {
                *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (*seed >> 33) % size
            }
        };
        let mut seed = 1;
        let mut dropped = 0;
        for round in 0..2_000 {
            let mut factor = || step(9)(&mut seed) as i64 - 4;
            let (p, q) = (factor(), factor());
            let table: Box<[i64; 256]> = Box::new(std::array::from_fn(|value| q * (value as i64 % 3)));
            let second = if round % 2 == 0 { Contribution::Table(table) } else { Contribution::Linear(q) };
            let terms = vec![
                Term { variable: 0, contribution: Contribution::Linear(p) },
                Term { variable: 1, contribution: second },
            ];
            let modulus = 1 + step(60)(&mut seed) as i64;
            let sum = Sum {
                terms,
                low: step(40)(&mut seed) as i64 - 20,
                span: step(modulus as u64)(&mut seed) as i64,
                modulus,
            };
            let mut domain = |bits: u32| {
                let low = 1 | step(1 << bits)(&mut seed);
                let low = ByteSet::from_fn(|value| value < 64 && low >> value & 1 == 1);
                Domain::new(low | ByteSet::only(192 + (bits % 8) as u8))
            };
            let domains = [domain(6), if round % 3 == 0 { Domain::new(ByteSet::only(5)) } else { domain(4) }];
            let satisfies = |x: u8, y: u8| {
                (sum.terms[0].contribution.of(x) + sum.terms[1].contribution.of(y) - sum.low).rem_euclid(sum.modulus)
                    <= sum.span
            };
            let pairs: Vec<(u8, u8)> = domains[0]
                .values
                .iter()
                .flat_map(|x| domains[1].values.iter().map(move |y| (x, y)))
                .filter(|&(x, y)| satisfies(x, y))
                .collect();
            let mut narrowed = Narrowed::default();
            if sum.narrow(&domains, &mut narrowed).is_err() {
                assert!(pairs.is_empty(), "{pairs:?}");
                continue;
            }
            dropped += narrowed.domains.len();
            let mut left = domains;
            narrowed.domains.into_iter().for_each(|(variable, domain)| left[variable] = domain);
            let has = |domain: &Domain, value: u8| domain.values.contains(value);
            assert!(pairs.iter().all(|&(x, y)| has(&left[0], x) && has(&left[1], y)));
            if domains[1].count == 1 {
                assert!(left[0].values.iter().all(|x| satisfies(x, 5)));
            }
        }
        assert!(dropped > 500, "only {dropped} domains became smaller");
    }
}
