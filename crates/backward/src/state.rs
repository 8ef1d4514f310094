//! A point of the program, and what must hold there for the target to be reached.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateur_expr::{Expr, Pool};
use secateur_program::{BlockId, FuncId, Operand, OperandKind, Slot};

use crate::checkpoint::Checkpoint;
use crate::code::Code;
use crate::holes::{Hole, Holes, Replacement, Rewrite};
use crate::input::Read;
use crate::search::Obstacle;

/// A call whose callee was entered backwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Caller {
    pub function: FuncId,
    /// The call.
    pub pc: u32,
}

/// In the keys of visits, instead of the number of a call: the function was left without knowing its caller.
pub(crate) const UNKNOWN_CALLER: u32 = u32::MAX;

/// What happens at loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loops {
    /// They are entered round by round.
    Entered,
    /// They are left out as a whole.
    Lifted,
    /// They are entered, but conditions on what changes from round to round are left out, so that rounds look alike.
    General,
}

impl Loops {
    /// It admits more than can happen, for the sake of a proof.
    pub(crate) fn is_abstract(self) -> bool {
        self != Loops::Entered
    }
}

/// A state of the backward search.
#[derive(Clone)]
pub(crate) struct State {
    pub function: FuncId,
    pub block: BlockId,
    /// The conditions hold before this instruction of the block, or at its end.
    pub pc: u32,
    /// The callers that are known, the outermost first.
    pub callers: Vec<Caller>,
    /// Sorted, without repetition and without what is always true.
    pub conditions: Vec<Expr>,
    /// Further expressions that are carried along.
    pub values: Vec<Expr>,
    /// What was read from the input from here on, the last first.
    pub reads: Vec<Read>,
    /// Something else may have been read from the input.
    pub has_gap: bool,
    /// How many values were made free because they could not be expressed.
    pub deferred: u32,
    /// How often each header of a loop was entered backwards, in which call; and how often a function was left without
    /// knowing its caller.
    pub visits: FxHashMap<(u32, FuncId, BlockId), u32>,
    /// The conditions have changed since the solver was last asked.
    pub is_new: bool,
    /// The points on the way to the target before which something was deferred, the farthest first.
    pub trace: Option<Rc<Checkpoint>>,
    /// Something on the way to the target that no path gets past, as far as the program can be run.
    pub obstacle: Option<Rc<Obstacle>>,
    pub loops: Loops,
}

impl State {
    /// A state in which everything holds.
    pub(crate) fn at(function: FuncId, block: BlockId, pc: u32) -> State {
        State {
            function,
            block,
            pc,
            callers: Vec::new(),
            conditions: Vec::new(),
            values: Vec::new(),
            reads: Vec::new(),
            has_gap: false,
            deferred: 0,
            visits: FxHashMap::default(),
            is_new: false,
            trace: None,
            obstacle: None,
            loops: Loops::Entered,
        }
    }

    /// The number of the call that runs.
    pub(crate) fn depth(&self) -> u32 {
        self.callers.len() as u32
    }

    /// It is in a round of a loop that was entered backwards.
    pub(crate) fn is_in_loop(&self) -> bool {
        self.visits.keys().any(|(depth, ..)| *depth != UNKNOWN_CALLER)
    }

    /// Adds a condition of width 1.
    pub(crate) fn require(&mut self, pool: &Pool, condition: Expr) {
        if !pool.is_true(condition)
            && let Err(at) = self.conditions.binary_search(&condition)
        {
            self.conditions.insert(at, condition);
            self.is_new = true;
        }
    }

    /// A condition can never hold.
    pub(crate) fn is_refuted(&self, pool: &Pool) -> bool {
        self.conditions.iter().any(|condition| pool.is_false(*condition))
    }

    /// All holes of the conditions and values, those in addresses of loads included.
    pub(crate) fn holes(&self, pool: &Pool, holes: &Holes) -> Vec<Hole> {
        let mut found: Vec<u32> = pool.holes_of_all(&self.conditions);
        for id in pool.holes_of_all(&self.values) {
            if !found.contains(&id) {
                found.push(id);
            }
        }
        let mut next = 0;
        while next < found.len() {
            if let Hole::Load { address, .. } = holes.kind(found[next]) {
                for id in pool.holes(address) {
                    if !found.contains(&id) {
                        found.push(id);
                    }
                }
            }
            next += 1;
        }
        found.into_iter().map(|id| holes.kind(id)).collect()
    }

    /// Replaces holes in all conditions.
    pub(crate) fn rewrite(&mut self, pool: &mut Pool, holes: &mut Holes, by: &mut dyn Replacement) {
        let mut rewrite = Rewrite::new(pool, holes);
        let before = std::mem::take(&mut self.conditions);
        let after: Vec<Expr> = before.iter().map(|condition| rewrite.apply(*condition, by)).collect();
        self.values.iter_mut().for_each(|value| *value = rewrite.apply(*value, by));
        let was_new = self.is_new;
        for condition in after {
            self.require(pool, condition);
        }
        self.is_new = was_new || self.conditions != before;
    }
}

/// Replaces some slots of a call.
pub(crate) struct Slots<'a> {
    pub depth: u32,
    pub values: &'a [(Slot, Expr)],
}

impl Replacement for Slots<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, depth: u32, slot: Slot) -> Option<Expr> {
        let found = self.values.iter().find(|(known, _)| depth == self.depth && *known == slot);
        found.map(|(_, value)| *value)
    }

    fn load(&mut self, _: &mut Rewrite<'_>, _: Expr, _: u8) -> Option<Expr> {
        None
    }
}

impl Code<'_> {
    /// The value of an operand of a call, as wide as it is needed.
    pub(crate) fn operand(&mut self, function: FuncId, depth: u32, operand: Operand, width: u8) -> Expr {
        match operand.kind() {
            OperandKind::Const(index) => {
                let consts = self.body(function).map(|body| body.consts.as_slice()).unwrap_or_default();
                let value = u128::from(consts.get(index as usize).copied().unwrap_or(0));
                let mask = if width >= 64 { u128::from(u64::MAX) } else { (1 << width) - 1 };
                self.pool.constant(width, value & mask)
            }
            OperandKind::Slot(slot) => {
                let whole = self.holes.slot(&mut self.pool, depth, slot);
                self.pool.extract(whole, 0, width)
            }
        }
    }

    /// A value as the content of a slot.
    pub(crate) fn widened(&mut self, value: Expr) -> Expr {
        if self.pool.width(value) == 64 { value } else { self.pool.zext(value, 64) }
    }

    /// The state before something that sets slots of the running call.
    pub(crate) fn set_slots(&mut self, state: &mut State, values: &[(Slot, Expr)]) {
        let depth = state.depth();
        let values: Vec<(Slot, Expr)> = values.iter().map(|(slot, value)| (*slot, self.widened(*value))).collect();
        state.rewrite(&mut self.pool, &mut self.holes, &mut Slots { depth, values: &values });
    }

    /// The holes of an expression, those in addresses of loads included.
    pub(crate) fn holes_of(&self, e: Expr) -> Vec<Hole> {
        let mut only = State::at(FuncId(0), BlockId(0), 0);
        only.conditions.push(e);
        only.holes(&self.pool, &self.holes)
    }

    /// The slot occurs in the conditions of a state.
    pub(crate) fn mentions(&self, state: &State, slot: Slot) -> bool {
        let depth = state.depth();
        state.holes(&self.pool, &self.holes).contains(&Hole::Slot { depth, slot })
    }
}
