//! Independent groups of conditions.
//!
//! Two conditions are in one group if they share a variable, which is an input byte or a hole, directly or through
//! other conditions. A question about some variables concerns only their groups; all other bytes can keep their values.
//! (This is the constraint independence of EXE and KLEE, maintained incrementally instead of computed for each
//! question.)

use std::rc::Rc;

use secateur_expr::{Expr, Pool, Support};
use smallvec::SmallVec;

use crate::condition::PathCondition;
use crate::list::List;
use crate::shared_vec::SharedVec;

/// The conditions of a path, grouped.
#[derive(Clone, Default)]
pub(crate) struct Groups {
    bytes: SharedVec<Entry>,
    /// Behind a pointer, because few paths have holes.
    holes: Rc<SharedVec<Entry>>,
}

/// A variable of conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    /// An input byte, by its number.
    Byte(u32),
    /// A hole, by its id.
    Hole(u32),
}

/// The group of a variable.
#[derive(Clone, Default)]
struct Entry {
    /// The representative variable of its group, if it is in one.
    leader: Option<Variable>,
    /// The group, if this variable is its representative.
    group: Option<Rc<Group>>,
}

/// Conditions that depend on each other.
#[derive(Clone)]
pub(crate) struct Group {
    variables: Variables,
    pub(crate) conditions: List<PathCondition>,
    len: u32,
    /// The only byte or word of all conditions, if the knowledge of its values is exact.
    pub(crate) about: Option<About>,
}

/// A set of variables, seldom with holes.
#[derive(Clone, PartialEq, Eq)]
struct Variables {
    bytes: Support,
    /// Sorted.
    holes: Vec<u32>,
}

/// The only subject of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum About {
    /// An input byte.
    Byte(u32),
    /// An input word of several bytes.
    Word(Expr),
}

impl Groups {
    /// Adds a condition to the groups of its variables, which are merged.
    pub(crate) fn add(&mut self, pool: &mut Pool, condition: PathCondition, about: Option<About>) {
        let variables = Variables::of(pool, condition.condition);
        let leaders = self.leaders_of(pool, &variables);
        // The others are merged into the largest group.
        let Some(&leader) = leaders.iter().max_by_key(|leader| self.group(**leader).map_or(0, |group| group.len))
        else {
            return self.add_group(pool, condition, variables, about);
        };
        let mut added = variables;
        let mut merged: SmallVec<[Rc<Group>; 2]> = SmallVec::new();
        for other in leaders.into_iter().filter(|other| *other != leader) {
            if let Some(group) = self.entry_mut(other).group.take() {
                added.extend(pool, &group.variables);
                merged.push(group);
            }
        }
        let Some(group) = self.entry_mut(leader).group.as_mut().map(Rc::make_mut) else { return };
        for other in merged {
            other.conditions.iter().for_each(|&condition| group.conditions.push(condition));
            group.len += other.len;
            group.about = None;
        }
        group.conditions.push(condition);
        group.len += 1;
        group.about = group.about.filter(|known| Some(*known) == about);
        if group.variables.extend(pool, &added) {
            self.assign(pool, &added, leader);
        }
    }

    /// The groups that share a variable with an expression.
    pub(crate) fn touching(&self, pool: &Pool, e: Expr) -> SmallVec<[&Group; 2]> {
        let leaders = self.leaders_of(pool, &Variables::of(pool, e));
        leaders.into_iter().filter_map(|leader| self.group(leader)).collect()
    }

    fn entry(&self, variable: Variable) -> Option<&Entry> {
        match variable {
            Variable::Byte(byte) => self.bytes.get(byte),
            Variable::Hole(id) => self.holes.get(id),
        }
    }

    fn entry_mut(&mut self, variable: Variable) -> &mut Entry {
        match variable {
            Variable::Byte(byte) => self.bytes.get_mut(byte),
            Variable::Hole(id) => Rc::make_mut(&mut self.holes).get_mut(id),
        }
    }

    fn group(&self, leader: Variable) -> Option<&Group> {
        self.entry(leader)?.group.as_deref()
    }

    fn leader(&self, variable: Variable) -> Option<Variable> {
        self.entry(variable)?.leader
    }

    fn leaders_of(&self, pool: &Pool, variables: &Variables) -> SmallVec<[Variable; 4]> {
        let mut leaders = SmallVec::new();
        variables.for_each(pool, |variable| {
            if let Some(leader) = self.leader(variable)
                && !leaders.contains(&leader)
            {
                leaders.push(leader);
            }
        });
        leaders
    }

    /// Makes a group of one condition. A condition without variables is in no group.
    fn add_group(&mut self, pool: &Pool, condition: PathCondition, variables: Variables, about: Option<About>) {
        let Some(leader) = variables.first(pool) else { return };
        self.assign(pool, &variables, leader);
        let mut conditions = List::default();
        conditions.push(condition);
        self.entry_mut(leader).group = Some(Rc::new(Group { variables, conditions, len: 1, about }));
    }

    fn assign(&mut self, pool: &Pool, variables: &Variables, leader: Variable) {
        variables.for_each(pool, |variable| {
            if self.leader(variable) != Some(leader) {
                self.entry_mut(variable).leader = Some(leader);
            }
        });
    }
}

impl Variables {
    fn of(pool: &Pool, e: Expr) -> Variables {
        Variables { bytes: pool.support(e), holes: pool.holes(e) }
    }

    fn first(&self, pool: &Pool) -> Option<Variable> {
        let byte = pool.support_bytes(self.bytes).first();
        byte.map(|&byte| Variable::Byte(byte)).or_else(|| self.holes.first().map(|&id| Variable::Hole(id)))
    }

    #[inline]
    fn for_each(&self, pool: &Pool, mut visit: impl FnMut(Variable)) {
        pool.support_bytes(self.bytes).iter().for_each(|&byte| visit(Variable::Byte(byte)));
        self.holes.iter().for_each(|&id| visit(Variable::Hole(id)));
    }

    /// Adds the members of another set. Returns whether there was a new one.
    fn extend(&mut self, pool: &mut Pool, other: &Variables) -> bool {
        let before = (self.bytes, self.holes.len());
        self.bytes = pool.support_union(self.bytes, other.bytes);
        if !other.holes.is_empty() {
            self.holes.extend_from_slice(&other.holes);
            self.holes.sort_unstable();
            self.holes.dedup();
        }
        before != (self.bytes, self.holes.len())
    }
}
