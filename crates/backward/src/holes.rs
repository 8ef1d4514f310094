//! What holes stand for, and how expressions change when that changes.

use rustc_hash::FxHashMap;
use secateur_expr::{Expr, Pool};
use secateur_program::Slot;

/// What a hole stands for, at the point of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Hole {
    /// The 64 bits of a slot; depth 0 is the outermost call that is known.
    Slot { depth: u32, slot: Slot },
    /// The bytes at an address, an expression over holes itself.
    Load { address: Expr, bytes: u8 },
    /// What an input function returned, by a number of its own.
    Input { number: u32, width: u8 },
    /// A value that can be anything, by a number of its own.
    Free { number: u32, width: u8 },
}

/// All holes of a search. A slot or a load is the same hole in every state, so that their conditions can be compared.
#[derive(Default)]
pub(crate) struct Holes {
    kinds: Vec<Hole>,
    ids: FxHashMap<Hole, u32>,
    fresh: u32,
}

impl Holes {
    pub(crate) fn kind(&self, id: u32) -> Hole {
        self.kinds[id as usize]
    }

    fn id(&mut self, hole: Hole) -> u32 {
        *self.ids.entry(hole).or_insert_with(|| {
            self.kinds.push(hole);
            self.kinds.len() as u32 - 1
        })
    }

    /// The 64 bits of a slot.
    pub(crate) fn slot(&mut self, pool: &mut Pool, depth: u32, slot: Slot) -> Expr {
        let id = self.id(Hole::Slot { depth, slot });
        pool.hole(id, 64)
    }

    /// The bytes at an address.
    pub(crate) fn load(&mut self, pool: &mut Pool, address: Expr, bytes: u8) -> Expr {
        let id = self.id(Hole::Load { address, bytes });
        pool.hole(id, bytes * 8)
    }

    /// A value that can be anything.
    pub(crate) fn free(&mut self, pool: &mut Pool, width: u8) -> Expr {
        self.fresh += 1;
        let id = self.id(Hole::Free { number: self.fresh, width });
        pool.hole(id, width)
    }

    /// A value of the input, and its hole.
    pub(crate) fn input(&mut self, pool: &mut Pool, width: u8) -> (u32, Expr) {
        self.fresh += 1;
        let id = self.id(Hole::Input { number: self.fresh, width });
        (id, pool.hole(id, width))
    }
}

/// Replaces holes of expressions.
pub(crate) struct Rewrite<'a> {
    pub pool: &'a mut Pool,
    pub holes: &'a mut Holes,
    known: FxHashMap<u32, Expr>,
}

/// What a hole becomes.
pub(crate) trait Replacement {
    /// What a slot becomes, if it changes.
    fn slot(&mut self, rewrite: &mut Rewrite<'_>, depth: u32, slot: Slot) -> Option<Expr>;

    /// What a load becomes, if it changes; its address is already rewritten.
    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr>;
}

impl<'a> Rewrite<'a> {
    pub(crate) fn new(pool: &'a mut Pool, holes: &'a mut Holes) -> Rewrite<'a> {
        Rewrite { pool, holes, known: FxHashMap::default() }
    }

    /// The expression with its holes replaced. Addresses of loads may contain loads, so this recurses, but only as deep
    /// as pointers are followed.
    pub(crate) fn apply(&mut self, expr: Expr, by: &mut dyn Replacement) -> Expr {
        if !self.pool.has_hole(expr) {
            return expr;
        }
        for id in self.pool.holes(expr) {
            if self.known.contains_key(&id) {
                continue;
            }
            let replaced = match self.holes.kind(id) {
                Hole::Slot { depth, slot } => by.slot(self, depth, slot),
                Hole::Load { address, bytes } => {
                    let address = self.apply(address, by);
                    let changed = by.load(self, address, bytes);
                    Some(changed.unwrap_or_else(|| self.holes.load(self.pool, address, bytes)))
                }
                Hole::Input { .. } | Hole::Free { .. } => None,
            };
            if let Some(replaced) = replaced {
                self.known.insert(id, replaced);
            }
        }
        let known = &self.known;
        self.pool.substitute(expr, &mut |id, _| known.get(&id).copied())
    }
}
