//! Finds values for the variables of sums: what follows from the values that are left is dropped (Mackworth's arc consistency, on bounds where
//! more than one variable is open), then the variable with the fewest values left gets one, and so on, until all have one or some sum is
//! wrong.

use std::collections::VecDeque;

use secateur_expr::ByteSet;

use super::sum::{Domain, Narrowed, Sum, Wrong};
use crate::Tuning;

/// How a search ends.
pub(super) enum SearchEnd {
    /// All sums are right with these values.
    Found(Vec<u8>),
    /// No values make these sums right. The sums are told by their numbers.
    None(Vec<usize>),
    GivenUp,
}

/// Searches for values, those near `current` first. Only the first `choices` variables are chosen values for; they determine the others.
pub(super) fn search(sums: &[Sum], domains: &[ByteSet], choices: usize, current: &[u8], tuning: &Tuning) -> SearchEnd {
    let mut search = Search::new(sums, domains, current, tuning);
    search.queue.extend(0..sums.len());
    search.queued.fill(true);
    loop {
        let Some(work) = search.work.checked_sub(tuning.sums_work_of_choice) else { return SearchEnd::GivenUp };
        search.work = work;
        if search.propagate().is_ok() {
            match search.most_urgent(choices) {
                Some(variable) => search.choose(variable),
                None => return SearchEnd::Found(search.nearest()),
            }
        } else if !search.go_back() {
            let used = (0..sums.len()).filter(|&sum| search.used[sum]).collect();
            return SearchEnd::None(used);
        }
    }
}

struct Search<'a> {
    sums: &'a [Sum],
    /// The sums that each variable is in.
    users: Vec<Vec<usize>>,
    domains: Vec<Domain>,
    current: &'a [u8],
    /// What domains were before they became smaller.
    trail: Vec<(usize, Domain)>,
    choices: Vec<Choice>,
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    /// The sums that ever dropped a value or were wrong.
    used: Vec<bool>,
    /// How much may still be looked at.
    work: usize,
}

/// A variable that was given a value.
struct Choice {
    variable: usize,
    /// The values that were not tried yet.
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

    /// Drops values until no sum does any more.
    fn propagate(&mut self) -> Result<(), Wrong> {
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
                return Err(Wrong);
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

    /// The open variable with the fewest values left for each sum that it is in: what follows from its value is the most.
    fn most_urgent(&self, choices: usize) -> Option<usize> {
        let values = |variable: usize| usize::from(self.domains[variable].count);
        let sums = |variable: usize| self.users[variable].len();
        (0..choices)
            .filter(|&variable| values(variable) > 1 && sums(variable) > 0)
            .min_by(|&a, &b| (values(a) * sums(b)).cmp(&(values(b) * sums(a))))
    }

    /// Gives a variable one of its values.
    fn choose(&mut self, variable: usize) {
        self.choices.push(Choice { variable, left: self.domains[variable].values, trail: self.trail.len() });
        self.try_next();
    }

    /// Gives the variable of the last choice its next value; false if there is none left.
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

    /// Takes back choices up to one that has another value; false if there is none.
    fn go_back(&mut self) -> bool {
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

    /// The values that are left and nearest to the current ones; of most variables it is the only one.
    fn nearest(&self) -> Vec<u8> {
        let near = |(variable, domain): (usize, &Domain)| {
            let current = self.current.get(variable).copied().unwrap_or(0);
            domain.values.nearest(current).unwrap_or(current)
        };
        self.domains.iter().enumerate().map(near).collect()
    }
}
