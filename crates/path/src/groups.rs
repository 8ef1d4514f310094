//! Which conditions have to do with each other.
//!
//! Two conditions belong together if they share an input byte, directly or through others. A question about some bytes concerns only
//! their groups; all other bytes can keep their values. (The independence of EXE and KLEE, kept up instead of worked out each time.)

use std::rc::Rc;

use secateur_expr::{Expr, Pool, Support};
use smallvec::SmallVec;

use crate::list::List;
use crate::shared_vec::SharedVec;

/// The conditions of a path, grouped.
#[derive(Clone, Default)]
pub(crate) struct Groups {
    bytes: SharedVec<Byte>,
}

/// What is known of an input byte.
#[derive(Clone, Default)]
struct Byte {
    /// One more than the byte that its group is filed under; 0 if it is in none.
    leader: u32,
    /// The group that is filed under this byte.
    group: Option<Rc<Group>>,
}

/// Conditions that have to do with each other.
#[derive(Clone)]
pub(crate) struct Group {
    /// The bytes that they are about.
    support: Support,
    pub(crate) conditions: List<Expr>,
    len: u32,
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
        let Some(&leader) = leaders.iter().max_by_key(|leader| self.group(**leader).map_or(0, |group| group.len))
        else {
            return self.start(pool, condition, support, about);
        };
        let mut newcomers = support;
        let mut absorbed: SmallVec<[Rc<Group>; 2]> = SmallVec::new();
        for other in leaders.into_iter().filter(|other| *other != leader) {
            if let Some(group) = self.bytes.get_mut(other).group.take() {
                newcomers = pool.support_union(newcomers, group.support);
                absorbed.push(group);
            }
        }
        let Some(group) = self.bytes.get_mut(leader).group.as_mut().map(Rc::make_mut) else { return };
        for other in absorbed {
            other.conditions.iter().for_each(|&condition| group.conditions.push(condition));
            group.len += other.len;
            group.about = None;
        }
        group.conditions.push(condition);
        group.len += 1;
        group.about = group.about.filter(|known| Some(*known) == about);
        let whole = pool.support_union(group.support, newcomers);
        if whole != group.support {
            group.support = whole;
            self.file(pool, newcomers, leader);
        }
    }

    /// The groups that a set of bytes touches.
    pub(crate) fn touching(&self, pool: &Pool, support: Support) -> SmallVec<[&Group; 2]> {
        self.leaders_of(pool, support).into_iter().filter_map(|leader| self.group(leader)).collect()
    }

    fn group(&self, leader: u32) -> Option<&Group> {
        self.bytes.get(leader)?.group.as_deref()
    }

    fn leader(&self, byte: u32) -> Option<u32> {
        self.bytes.get(byte)?.leader.checked_sub(1)
    }

    fn leaders_of(&self, pool: &Pool, support: Support) -> SmallVec<[u32; 4]> {
        let mut leaders = SmallVec::new();
        for leader in pool.support_bytes(support).iter().filter_map(|byte| self.leader(*byte)) {
            if !leaders.contains(&leader) {
                leaders.push(leader);
            }
        }
        leaders
    }

    fn start(&mut self, pool: &Pool, condition: Expr, support: Support, about: Option<About>) {
        let Some(&leader) = pool.support_bytes(support).first() else { return };
        self.file(pool, support, leader);
        let mut conditions = List::default();
        conditions.push(condition);
        self.bytes.get_mut(leader).group = Some(Rc::new(Group { support, conditions, len: 1, about }));
    }

    fn file(&mut self, pool: &Pool, support: Support, leader: u32) {
        for &byte in pool.support_bytes(support) {
            if self.leader(byte) != Some(leader) {
                self.bytes.get_mut(byte).leader = leader + 1;
            }
        }
    }
}
