//! A copy of a program whose paths end where a target is reached.
//!
//! There, the code calls [`TARGET`], which never returns. So nothing behind a target is explored, and a target is an
//! error like any other for whatever reasons about errors.

use crate::code::{
    Block, BlockId, Body, BranchId, Call, Callee, Edge, EdgeId, FuncId, Function, InfoId, Inst, LocId, Operand,
    Program, Slot,
};

/// The function that is called where a target is reached.
pub const TARGET: &str = "__secateur_target";

/// A place at which paths end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum GoalPoint {
    /// Before an instruction.
    Before {
        /// The function.
        function: FuncId,
        /// The instruction.
        pc: u32,
    },
    /// Where a branch takes an outcome.
    Outcome {
        /// The branch.
        branch: BranchId,
        /// Its outcome.
        outcome: u32,
    },
}

impl Program {
    /// This program with paths that end at these places; and the location at which each of them ends, which nothing
    /// else has. Places that do not exist have none.
    pub fn ending_at(&self, places: &[GoalPoint]) -> (Program, Vec<LocId>) {
        let mut program = self.clone();
        let target = FuncId(program.functions.len() as u32);
        program.functions.push(Function {
            name: TARGET.into(),
            params: Box::default(),
            result: Box::default(),
            variadic: false,
            user: false,
            exported: false,
            body: None,
            loc: LocId(0),
        });
        let ends = places.iter().filter_map(|place| program.end_at(*place, target)).collect();
        (program, ends)
    }

    fn end_at(&mut self, place: GoalPoint, target: FuncId) -> Option<LocId> {
        let loc = LocId(self.locations.len() as u32);
        let original = match place {
            GoalPoint::Before { function, pc } => {
                let body = self.functions.get_mut(function.index())?.body.as_mut()?;
                let original = *body.locs.get(pc as usize)?;
                body.end_before(pc, target, loc)?;
                original
            }
            GoalPoint::Outcome { branch, outcome } => {
                let branch = self.branches.get(branch.index())?;
                let body = self.functions.get_mut(branch.function.index())?.body.as_mut()?;
                body.redirect(branch.block, outcome, target, loc)?;
                branch.loc
            }
        };
        self.locations.push(self.locations[original.index()]);
        Some(loc)
    }
}

impl Body {
    fn add_call(&mut self, target: FuncId) -> Inst {
        let info = InfoId(self.calls.len() as u32);
        let callee = Callee::Direct(target);
        self.calls.push(Call { callee, args: Box::default(), dst: Slot(0), result: Box::default() });
        Inst::Call { info }
    }

    /// Replaces an instruction by a call of the target. A terminator becomes a jump to a new block with that call.
    fn end_before(&mut self, pc: u32, target: FuncId, loc: LocId) -> Option<()> {
        let block = self.block_at(pc);
        if self.blocks[block.index()].end == pc + 1 {
            let edge = self.add_block(target, loc, Box::default(), true);
            self.code[pc as usize] = Inst::Jump { edge };
            self.update_successors(block);
        } else {
            self.code[pc as usize] = self.add_call(target);
            self.locs[pc as usize] = loc;
        }
        Some(())
    }

    /// Makes an outcome of the branch at the end of a block lead to a new block, which calls the target.
    fn redirect(&mut self, from: BlockId, outcome: u32, target: FuncId, loc: LocId) -> Option<()> {
        let last = self.blocks.get(from.index())?.end.checked_sub(1)?;
        let edge = match *self.code.get(last as usize)? {
            Inst::Branch { then_edge, else_edge, .. } => [else_edge, then_edge][outcome.min(1) as usize],
            Inst::Switch { info, .. } => *self.switches.get(info.index())?.targets.get(outcome as usize)?,
            _ => return None,
        };
        let Edge { moves, sequential, .. } = self.edges.get(edge.index())?.clone();
        // Outcomes may share an edge, so the other ones keep it.
        let new = self.add_block(target, loc, moves, sequential);
        match &mut self.code[last as usize] {
            Inst::Branch { else_edge, .. } if outcome == 0 => *else_edge = new,
            Inst::Branch { then_edge, .. } => *then_edge = new,
            Inst::Switch { info, .. } => self.switches[info.index()].targets[outcome as usize] = new,
            _ => {}
        }
        self.update_successors(from);
        Some(())
    }

    /// Adds a block that calls the target, and returns an edge to it.
    fn add_block(&mut self, target: FuncId, loc: LocId, moves: Box<[(Slot, Operand)]>, sequential: bool) -> EdgeId {
        let (start, to) = (self.code.len() as u32, BlockId(self.blocks.len() as u32));
        let call = self.add_call(target);
        self.code.extend([call, Inst::Unreachable]);
        self.locs.extend([loc; 2]);
        self.blocks.push(Block { start, end: start + 2, successors: Box::default(), native: None });
        self.edges.push(Edge { to, pc: start, moves, sequential });
        EdgeId(self.edges.len() as u32 - 1)
    }

    fn update_successors(&mut self, block: BlockId) {
        let last = self.blocks[block.index()].end as usize - 1;
        let successors = self.successors_of(self.code.get(last));
        self.blocks[block.index()].successors = successors;
    }
}
