//! Questions to the solver: can all conditions of a state hold?

use rustc_hash::FxHashMap;
use secateur_expr::Expr;
use secateur_path::Path;
use secateur_solver::{Answer, Solver};

use crate::code::Code;
use crate::state::State;

/// What the solver says about a state.
pub(crate) enum Solved {
    /// No values of the holes satisfy all conditions.
    Refuted,
    /// These do.
    Satisfied(Model),
    /// It is not known.
    Unknown,
}

/// Values of holes.
pub(crate) struct Model {
    /// Where the bytes of a hole are, and how many it has.
    places: FxHashMap<u32, (usize, usize)>,
    bytes: Vec<u8>,
}

impl Model {
    /// The bytes of the input of a path, by what it reads in which order.
    pub(crate) fn input(&self, state: &State) -> Vec<u8> {
        let mut input = Vec::new();
        for read in state.reads.iter().rev() {
            let first = input.len();
            input.resize(first + read.bytes as usize, 0);
            for (hole, offset) in &read.parts {
                let Some((place, len)) = self.places.get(hole) else { continue };
                let from = self.bytes.get(*place..).unwrap_or_default();
                let to = input.get_mut(first + *offset as usize..).unwrap_or_default();
                to.iter_mut().zip(from).take(*len).for_each(|(to, from)| *to = *from);
            }
        }
        input
    }
}

impl Code<'_> {
    /// Asks the solver: each hole becomes a few bytes of an input of its own.
    pub(crate) fn solve(&mut self, solver: &mut Solver, state: &State) -> Solved {
        let (mut places, mut filled) = (FxHashMap::default(), FxHashMap::<u32, Expr>::default());
        let mut next = 0;
        for (id, width) in self.pool.hole_widths(&state.conditions) {
            let len = width.div_ceil(8);
            let bytes = self.pool.input(next as u32, len);
            filled.insert(id, self.pool.extract(bytes, 0, width));
            places.insert(id, (next, usize::from(len)));
            next += usize::from(len);
        }
        let conditions = self.pool.substitute_all(&state.conditions, &mut |id, _| filled.get(&id).copied());
        let truth = self.pool.bool(true);
        let all = conditions.into_iter().fold(truth, |all, condition| self.pool.and(all, condition));
        if self.pool.is_true(all) {
            return Solved::Satisfied(Model { places, bytes: Vec::new() });
        }
        if self.pool.is_false(all) {
            return Solved::Refuted;
        }
        let current = vec![0; next];
        match solver.solve(&mut self.pool, &Path::default(), all, &current) {
            Answer::Sat(bytes) => Solved::Satisfied(Model { places, bytes }),
            Answer::Unsat(_) => Solved::Refuted,
            Answer::Unknown(_) => Solved::Unknown,
        }
    }
}
