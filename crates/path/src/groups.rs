//! Which conditions have to do with each other.
//!
//! Two conditions belong together if they share a variable, that is an input byte or a hole, directly or through others. A question about some
//! variables concerns only their groups; all other bytes can keep their values. (The independence of EXE and KLEE, maintained instead of computed
//! for each question.)

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
    holes: SharedVec<Entry>,
}

/// What conditions can share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    /// An input byte, by its number.
    Byte(u32),
    /// A hole, by its id.
    Hole(u32),
}

/// What is known of a variable.
#[derive(Clone, Default)]
struct Entry {
    /// The variable that its group is filed under, if it is in one.
    leader: Option<Variable>,
    /// The group that is filed under this variable.
    group: Option<Rc<Group>>,
}

/// Conditions that have to do with each other.
#[derive(Clone)]
pub(crate) struct Group {
    variables: Variables,
    pub(crate) conditions: List<PathCondition>,
    len: u32,
    /// The one byte or word that every condition is about, if what they say of it is known in full.
    pub(crate) about: Option<About>,
}

/// A set of variables. There are seldom holes.
#[derive(Clone, PartialEq, Eq)]
struct Variables {
    bytes: Support,
    /// Sorted.
    holes: Vec<u32>,
}

/// What a condition can be about alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum About {
    /// An input byte.
    Byte(u32),
    /// An input word of several bytes.
    Word(Expr),
}

impl Groups {
    /// Adds a condition to the groups of its variables, which become one.
    pub(crate) fn add(&mut self, pool: &mut Pool, condition: PathCondition, about: Option<About>) {
        let variables = Variables::of(pool, condition.condition);
        let leaders = self.leaders_of(pool, &variables);
        // The largest group takes in the others.
        let Some(&leader) = leaders.iter().max_by_key(|leader| self.group(**leader).map_or(0, |group| group.len))
        else {
            return self.start(pool, condition, variables, about);
        };
        let mut newcomers = variables;
        let mut absorbed: SmallVec<[Rc<Group>; 2]> = SmallVec::new();
        for other in leaders.into_iter().filter(|other| *other != leader) {
            if let Some(group) = self.entry_mut(other).group.take() {
                newcomers.extend(pool, &group.variables);
                absorbed.push(group);
            }
        }
        let Some(group) = self.entry_mut(leader).group.as_mut().map(Rc::make_mut) else { return };
        for other in absorbed {
            other.conditions.iter().for_each(|&condition| group.conditions.push(condition));
            group.len += other.len;
            group.about = None;
        }
        group.conditions.push(condition);
        group.len += 1;
        group.about = group.about.filter(|known| Some(*known) == about);
        if group.variables.extend(pool, &newcomers) {
            self.file(pool, &newcomers, leader);
        }
    }

    /// The groups that an expression has a variable in common with.
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
            Variable::Hole(id) => self.holes.get_mut(id),
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
        for leader in variables.iter(pool).filter_map(|variable| self.leader(variable)) {
            if !leaders.contains(&leader) {
                leaders.push(leader);
            }
        }
        leaders
    }

    /// Makes a group of one condition. A condition without variables has to do with no other, so it is in no group.
    fn start(&mut self, pool: &Pool, condition: PathCondition, variables: Variables, about: Option<About>) {
        let Some(leader) = variables.iter(pool).next() else { return };
        self.file(pool, &variables, leader);
        let mut conditions = List::default();
        conditions.push(condition);
        self.entry_mut(leader).group = Some(Rc::new(Group { variables, conditions, len: 1, about }));
    }

    fn file(&mut self, pool: &Pool, variables: &Variables, leader: Variable) {
        for variable in variables.iter(pool) {
            if self.leader(variable) != Some(leader) {
                self.entry_mut(variable).leader = Some(leader);
            }
        }
    }
}

impl Variables {
    fn of(pool: &Pool, e: Expr) -> Variables {
        Variables { bytes: pool.support(e), holes: pool.holes(e) }
    }

    fn iter<'a>(&'a self, pool: &'a Pool) -> impl Iterator<Item = Variable> + 'a {
        let bytes = pool.support_bytes(self.bytes).iter().map(|&byte| Variable::Byte(byte));
        bytes.chain(self.holes.iter().map(|&id| Variable::Hole(id)))
    }

    /// Adds the members of another set. Tells whether there was a new one.
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
