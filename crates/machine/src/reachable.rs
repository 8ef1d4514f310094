//! The objects that are reachable through pointers, for leak detection.

use rustc_hash::FxHashSet;

use crate::access::read;
use crate::machine::Machine;
use crate::memory::{Memory, Object, ObjectId, ObjectKind};
use crate::origins::origins;
use crate::state::State;
use crate::value::Value;

impl Machine {
    /// All objects that globals, live local variables or registers point to, directly or indirectly.
    pub(crate) fn reachable_objects(&mut self, state: &State) -> FxHashSet<ObjectId> {
        let mut found = FxHashSet::default();
        let mut pending = Vec::new();
        for (id, _) in state.memory.globals() {
            found.insert(id);
            pending.push(id);
        }
        for (id, object) in state.memory.dynamic_objects() {
            if object.alive && object.kind != ObjectKind::Heap {
                found.insert(id);
                pending.push(id);
            }
        }
        for frame in std::iter::once(&state.frame).chain(state.callers.iter()) {
            for value in &frame.slots {
                self.follow_pointers(&state.memory, *value, &mut found, &mut pending);
            }
        }
        while let Some(id) = pending.pop() {
            if let Some(object) = state.memory.get(id).filter(|object| object.alive) {
                for value in self.words(object) {
                    self.follow_pointers(&state.memory, value, &mut found, &mut pending);
                }
            }
        }
        found
    }

    /// The aligned 8-byte words of an object.
    fn words(&mut self, object: &Object) -> Vec<Value> {
        (0..object.size / 8).map(|index| read(&mut self.pool, object, index * 8, 8).value).collect()
    }

    fn follow_pointers(
        &self,
        memory: &Memory,
        value: Value,
        found: &mut FxHashSet<ObjectId>,
        pending: &mut Vec<ObjectId>,
    ) {
        let mut follow = |address: u64| {
            let id = memory.find(address);
            if id.0 != 0 && found.insert(id) {
                pending.push(id);
            }
        };
        match value.expr {
            None => follow(value.bits),
            Some(expr) => origins(&self.pool, &self.options.tuning, expr).addresses.into_iter().for_each(follow),
        }
    }
}
