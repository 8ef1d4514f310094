//! The effects of segments, so that each is computed once: thousands of paths share their segments.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{Expr, Valuation};
use secateur_machine::{LiveSlots, Machine, State};
use secateur_path::ChoiceKey;
use secateur_program::{FuncId, Program};

use crate::effect::{Effect, Failure};
use crate::live::LiveSlotCache;

/// A point of the program, in a call context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// The function.
    pub function: FuncId,
    /// The instruction.
    pub pc: u32,
    /// Identifies the sequence of call sites that led here.
    pub context: u64,
}

impl Point {
    /// Where a state is.
    pub fn of(state: &State) -> Point {
        Point { function: state.frame.function, pc: state.frame.pc, context: state.frame.context }
    }
}

/// A segment of a path.
pub struct Segment<'a> {
    /// The state at the decision that it starts with.
    pub start: &'a State,
    /// The choice that is taken there.
    pub choice: ChoiceKey,
    /// The state at its end.
    pub end: &'a State,
    /// Whether the path ends here.
    pub ends: bool,
    /// The input of the path.
    pub input: &'a Arc<[u8]>,
}

/// Identifies an effect of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EffectId(u32);

/// Segments that may have the same effect.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    start: Point,
    choice: ChoiceKey,
    end: Point,
    ends: bool,
    instructions: u64,
}

/// An effect that was computed, with what tells whether it is that of another segment.
struct Known {
    effect: Effect,
    start: State,
    conditions: Vec<Expr>,
    holes: Vec<u32>,
    /// How often it was that of another segment.
    hits: u64,
}

/// The effects of segments of one machine.
pub struct Effects {
    live: Rc<dyn LiveSlots>,
    known: Vec<Known>,
    by_key: FxHashMap<Key, Vec<EffectId>>,
    /// What expressions of a segment's real path evaluate to.
    real: Valuation,
    /// What conditions over holes evaluate to.
    holes: Valuation,
    /// How many instructions were executed on holes.
    pub executed: u64,
}

impl Effects {
    /// Nothing is computed yet.
    pub fn new(program: Arc<Program>) -> Effects {
        Effects::sharing(Rc::new(LiveSlotCache::new(program)))
    }

    /// Nothing is computed yet but which slots are live, which others know, too.
    pub fn sharing(live: Rc<dyn LiveSlots>) -> Effects {
        Effects {
            live,
            known: Vec::new(),
            by_key: FxHashMap::default(),
            real: Valuation::default(),
            holes: Valuation::default(),
            executed: 0,
        }
    }

    /// Which slots are live.
    pub fn live(&self) -> Rc<dyn LiveSlots> {
        Rc::clone(&self.live)
    }

    /// The effect of a segment: one that was computed for another with the same behaviour, or a new one.
    pub fn of(&mut self, machine: &mut Machine, segment: &Segment<'_>) -> Result<EffectId, Failure> {
        let Segment { start, choice, end, ends, input } = *segment;
        let instructions =
            (end.instructions - u64::from(ends)).checked_sub(start.instructions).ok_or(Failure::Diverged)?;
        let key = Key { start: Point::of(start), choice, end: Point::of(end), ends, instructions };
        if let Some(candidates) = self.by_key.get(&key) {
            if self.real.input() != &**input {
                self.real.set_input(input.to_vec());
            }
            let unread = input.get(start.input_len as usize..).unwrap_or_default();
            let known = candidates.iter().copied().find(|id| {
                applies(machine, &self.known[id.0 as usize], start, unread, &mut self.real, &mut self.holes)
            });
            if let Some(known) = known {
                self.known[known.0 as usize].hits += 1;
                return Ok(known);
            }
        }
        self.executed += instructions;
        let effect = Effect::of_segment(machine, start, input, instructions, ends, Rc::clone(&self.live))?;
        let conditions = effect.conditions();
        let holes = machine.pool.holes_of_all(&conditions);
        let id = EffectId(self.known.len() as u32);
        self.known.push(Known { effect, start: start.clone(), conditions, holes, hits: 0 });
        self.by_key.entry(key).or_default().push(id);
        Ok(id)
    }

    /// An effect.
    pub fn get(&mut self, id: EffectId) -> &mut Effect {
        &mut self.known[id.0 as usize].effect
    }

    /// How many effects were computed.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Nothing was computed yet.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Drops the less used half of the effects but those that are `needed`, because memory is short; it is called again
    /// if that is not enough. Returns the new ids of those that are left.
    pub fn drop_half(&mut self, needed: &FxHashSet<EffectId>) -> FxHashMap<EffectId, EffectId> {
        let ids = (0..self.known.len() as u32).map(EffectId);
        let mut order: Vec<(u64, u32)> =
            ids.filter(|id| !needed.contains(id)).map(|id| (self.known[id.0 as usize].hits, id.0)).collect();
        order.sort_unstable();
        order.truncate(order.len().div_ceil(2));
        let dropped: FxHashSet<u32> = order.into_iter().map(|(_, id)| id).collect();
        let mut renamed = FxHashMap::default();
        for (id, known) in (0..).zip(std::mem::take(&mut self.known)) {
            if !dropped.contains(&id) {
                renamed.insert(EffectId(id), EffectId(self.known.len() as u32));
                self.known.push(known);
            }
        }
        self.by_key.retain(|_, ids| {
            *ids = ids.iter().filter_map(|id| renamed.get(id).copied()).collect();
            !ids.is_empty()
        });
        renamed
    }

    /// Forgets all effects, because expressions are forgotten.
    pub fn forget(&mut self) {
        self.known.clear();
        self.by_key.clear();
        self.real = Valuation::default();
        self.holes = Valuation::default();
    }
}

/// Whether a state that follows this input meets all conditions of an effect.
fn applies(
    machine: &mut Machine,
    known: &Known,
    start: &State,
    unread: &[u8],
    real: &mut Valuation,
    holes: &mut Valuation,
) -> bool {
    if !known.start.is_alike(start, &known.effect.footprint) {
        return false;
    }
    holes.set_input(unread.to_vec());
    holes.forget_holes();
    for hole in &known.holes {
        let Some(location) = machine.holes.location(*hole) else { return false };
        let Some((value, _)) = machine.value_at(start, location) else { return false };
        let value = value.expr.map_or(value.bits, |expr| real.eval(&machine.pool, expr));
        holes.add_hole(*hole, value.into());
    }
    known.conditions.iter().all(|condition| holes.holds(&machine.pool, *condition))
}
