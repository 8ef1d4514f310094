//! Finds values for the variables of sums by constraint propagation and backtracking. Values that no sum allows are
//! dropped (Mackworth's arc consistency, on bounds where a sum has more than one open variable); then the most
//! constrained variable is assigned a value, and so on, until all are assigned or a sum has a conflict.

use std::collections::VecDeque;

use secateur_expr::ByteSet;

use super::sum::{Conflict, Domain, Narrowed, Sum};
use crate::Tuning;

/// How a search ends.
pub(super) enum SearchEnd {
    /// These values satisfy all sums.
    Found(Vec<u8>),
    /// No values satisfy the sums with these indices.
    Contradiction(Vec<usize>),
    GivenUp,
}

/// Searches for values, those near `current` first. Only the first `choices` variables are assigned; they determine the
/// others. Adds how many terms and values were visited.
pub(super) fn search(
    sums: &[Sum],
    domains: &[ByteSet],
    choices: usize,
    current: &[u8],
    tuning: &Tuning,
    visited: &mut u64,
) -> SearchEnd {
    let mut search = Search::new(sums, domains, current, tuning);
    search.queue.extend(0..sums.len());
    search.queued.fill(true);
    let before = search.work;
    let end = search.run(choices, tuning);
    *visited += before.saturating_sub(search.work) as u64;
    end
}

struct Search<'a> {
    sums: &'a [Sum],
    /// The sums that each variable is in.
    users: Vec<Vec<usize>>,
    domains: Vec<Domain>,
    current: &'a [u8],
    /// The domains before each change.
    trail: Vec<(usize, Domain)>,
    choices: Vec<Choice>,
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    /// The sums that ever dropped a value or had a conflict.
    used: Vec<bool>,
    /// How many terms and values may still be visited.
    work: usize,
}

/// An assignment of a variable.
struct Choice {
    variable: usize,
    /// The values not tried yet.
    left: ByteSet,
    /// How long the trail was before.
    trail: usize,
}

impl<'a> Search<'a> {
    fn new(sums: &'a [Sum], domains: &[ByteSet], current: &'a [u8], tuning: &Tuning) -> Search<'a> {
        let mut users = vec![Vec::new(); domains.len()];
        for (at, sum) in sums.iter().enumerate() {
            sum.variables().for_each(|variable| users[variable].push(at));
        }
        let domains: Vec<Domain> = domains.iter().map(|&values| Domain::new(values)).collect();
        let many =
            domains.iter().zip(&users).any(|(domain, users)| domain.count >= tuning.sums_many && !users.is_empty());
        Search {
            sums,
            users,
            domains,
            current,
            trail: Vec::new(),
            choices: Vec::new(),
            queue: VecDeque::new(),
            queued: vec![false; sums.len()],
            used: vec![false; sums.len()],
            work: if many { tuning.sums_work_on_many } else { tuning.sums_work },
        }
    }

    fn run(&mut self, choices: usize, tuning: &Tuning) -> SearchEnd {
        loop {
            let Some(work) = self.work.checked_sub(tuning.sums_work_of_choice) else { return SearchEnd::GivenUp };
            self.work = work;
            if self.propagate().is_ok() {
                match self.most_constrained(choices) {
                    Some(variable) => self.choose(variable),
                    None => return SearchEnd::Found(self.nearest()),
                }
            } else if !self.backtrack() {
                let used = (0..self.sums.len()).filter(|&sum| self.used[sum]).collect();
                return SearchEnd::Contradiction(used);
            }
        }
    }

    /// Drops values until a fixed point.
    fn propagate(&mut self) -> Result<(), Conflict> {
        let mut narrowed = Narrowed::default();
        while let Some(at) = self.queue.pop_front() {
            self.queued[at] = false;
            let result = self.sums[at].narrow(&self.domains, &mut narrowed);
            self.work = self.work.saturating_sub(std::mem::take(&mut narrowed.work));
            self.used[at] |= result.is_err() || !narrowed.domains.is_empty();
            if result.is_err() {
                while let Some(at) = self.queue.pop_front() {
                    self.queued[at] = false;
                }
                return Err(Conflict);
            }
            for (variable, domain) in narrowed.domains.drain(..) {
                self.set(variable, domain);
            }
        }
        Ok(())
    }

    fn set(&mut self, variable: usize, domain: Domain) {
        self.trail.push((variable, self.domains[variable]));
        self.domains[variable] = domain;
        for &user in &self.users[variable] {
            if !self.queued[user] {
                self.queued[user] = true;
                self.queue.push_back(user);
            }
        }
    }

    /// The open variable with the fewest values per sum that it is in, whose assignment propagates most.
    fn most_constrained(&self, choices: usize) -> Option<usize> {
        let values = |variable: usize| usize::from(self.domains[variable].count);
        let sums = |variable: usize| self.users[variable].len();
        (0..choices)
            .filter(|&variable| values(variable) > 1 && sums(variable) > 0)
            .min_by(|&a, &b| (values(a) * sums(b)).cmp(&(values(b) * sums(a))))
    }

    /// Assigns one of its values to a variable.
    fn choose(&mut self, variable: usize) {
        self.choices.push(Choice { variable, left: self.domains[variable].values, trail: self.trail.len() });
        self.try_next();
    }

    /// Assigns the next value to the variable of the last choice; false if none is left.
    fn try_next(&mut self) -> bool {
        let Some(choice) = self.choices.last_mut() else { return false };
        let Some(value) = choice.left.nearest(self.current.get(choice.variable).copied().unwrap_or(0)) else {
            return false;
        };
        choice.left.remove(value);
        let variable = choice.variable;
        self.set(variable, Domain::new(ByteSet::only(value)));
        true
    }

    /// Undoes choices up to one that has another value; false if none has.
    fn backtrack(&mut self) -> bool {
        while let Some(choice) = self.choices.last() {
            for (variable, domain) in self.trail.drain(choice.trail..).rev() {
                self.domains[variable] = domain;
            }
            if self.try_next() {
                return true;
            }
            self.choices.pop();
        }
        false
    }

    /// The remaining values nearest to the current ones; most variables have only one.
    fn nearest(&self) -> Vec<u8> {
        let near = |(variable, domain): (usize, &Domain)| {
            let current = self.current.get(variable).copied().unwrap_or(0);
            domain.values.nearest(current).unwrap_or(current)
        };
        self.domains.iter().enumerate().map(near).collect()
    }
}
