//! Which conditions have to do with each other.
//!
//! Two conditions belong together if they share an input byte, directly or through others. A question about some bytes concerns only
//! their groups; all other bytes can keep their values. (The independence of EXE and KLEE, kept up instead of worked out each time.)

use secateur_expr::{Expr, Pool, Support};
use smallvec::SmallVec;

use crate::SharedMap;
use crate::list::List;

/// The conditions of a path, grouped.
#[derive(Clone, Default)]
pub(crate) struct Groups {
    /// From each input byte in a condition to the byte that its group is filed under.
    leaders: SharedMap<u32, u32>,
    groups: SharedMap<u32, Group>,
}

/// Conditions that have to do with each other.
#[derive(Clone)]
pub(crate) struct Group {
    /// The bytes that they are about.
    pub(crate) support: Support,
    pub(crate) conditions: List<Expr>,
    pub(crate) len: u32,
    /// The one byte or word that every condition is about, if what they say of it is known in full.
    pub(crate) about: Option<About>,
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
    /// Adds a condition to the groups of its bytes, which become one.
    pub(crate) fn add(&mut self, pool: &mut Pool, condition: Expr, about: Option<About>) {
        let support = pool.support(condition);
        let leaders = self.leaders_of(pool, support);
        // The largest group takes in the others.
        let Some(&leader) = leaders.iter().max_by_key(|leader| self.groups.get(leader).map_or(0, |group| group.len))
        else {
            return self.start(pool, condition, support, about);
        };
        let Some(mut group) = self.groups.get(&leader).cloned() else { return };
        let mut newcomers = support;
        for other in leaders.into_iter().filter(|other| *other != leader) {
            let Some(absorbed) = self.groups.get(&other).cloned() else { continue };
            self.groups.remove_mut(&other);
            absorbed.conditions.iter().for_each(|&condition| group.conditions.push(condition));
            group.len += absorbed.len;
            group.about = None;
            newcomers = pool.support_union(newcomers, absorbed.support);
        }
        let whole = pool.support_union(group.support, newcomers);
        if whole != group.support {
            self.file(pool, newcomers, leader);
            group.support = whole;
        }
        group.conditions.push(condition);
        group.len += 1;
        group.about = group.about.filter(|known| Some(*known) == about);
        self.groups.insert_mut(leader, group);
    }

    /// The groups that a set of bytes touches.
    pub(crate) fn touching(&self, pool: &Pool, support: Support) -> SmallVec<[&Group; 2]> {
        self.leaders_of(pool, support).into_iter().filter_map(|leader| self.groups.get(&leader)).collect()
    }

    fn leaders_of(&self, pool: &Pool, support: Support) -> SmallVec<[u32; 4]> {
        let mut leaders = SmallVec::new();
        for byte in pool.support_bytes(support) {
            if let Some(leader) = self.leaders.get(byte)
                && !leaders.contains(leader)
            {
                leaders.push(*leader);
            }
        }
        leaders
    }

    fn start(&mut self, pool: &Pool, condition: Expr, support: Support, about: Option<About>) {
        let Some(&leader) = pool.support_bytes(support).first() else { return };
        self.file(pool, support, leader);
        let mut conditions = List::default();
        conditions.push(condition);
        self.groups.insert_mut(leader, Group { support, conditions, len: 1, about });
    }

    fn file(&mut self, pool: &Pool, support: Support, leader: u32) {
        for &byte in pool.support_bytes(support) {
            if self.leaders.get(&byte) != Some(&leader) {
                self.leaders.insert_mut(byte, leader);
            }
        }
    }
}
