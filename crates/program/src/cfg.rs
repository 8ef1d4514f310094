//! Control-flow queries.

use crate::code::*;

impl Inst {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
                | Inst::Unsupported { .. }
        )
    }

    /// Whether it changes bytes that existed before it, or may do so. What a call does is up to the function.
    pub fn writes_memory(&self) -> bool {
        matches!(
            self,
            Inst::Store { .. }
                | Inst::MemCopy { .. }
                | Inst::MemSet { .. }
                | Inst::VaStart { .. }
                | Inst::VaCopy { .. }
                | Inst::LifetimeStart { .. }
                | Inst::Unsupported { .. }
        )
    }
}

impl Body {
    /// The edges that a terminator may take.
    pub fn edges_of(&self, inst: &Inst) -> Vec<EdgeId> {
        match *inst {
            Inst::Jump { edge } => vec![edge],
            Inst::Branch { then_edge, else_edge, .. } => vec![then_edge, else_edge],
            Inst::Switch { info, .. } => self.switches.get(info.index()).map_or(Vec::new(), |s| s.targets.to_vec()),
            Inst::IndirectJump { info, .. } => {
                self.gotos.get(info.index()).map_or(Vec::new(), |goto| goto.iter().map(|(_, edge)| *edge).collect())
            }
            _ => Vec::new(),
        }
    }

    /// The blocks that a terminator may enter, without repetition.
    pub(crate) fn successors_of(&self, inst: Option<&Inst>) -> Box<[BlockId]> {
        let mut successors = Vec::new();
        for edge in inst.map_or(Vec::new(), |inst| self.edges_of(inst)) {
            if let Some(edge) = self.edges.get(edge.index())
                && !successors.contains(&edge.to)
            {
                successors.push(edge.to);
            }
        }
        successors.into()
    }

    /// For each block, the blocks that may enter it.
    pub fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for (index, block) in self.blocks.iter().enumerate() {
            for successor in &block.successors {
                predecessors[successor.index()].push(BlockId(index as u32));
            }
        }
        predecessors
    }

    /// The call that an instruction makes.
    pub fn call_at(&self, pc: u32) -> Option<&Call> {
        match self.code.get(pc as usize)? {
            Inst::Call { info } => self.calls.get(info.index()),
            _ => None,
        }
    }

    /// All calls, in the order of the code.
    pub fn calls_in_order(&self) -> impl Iterator<Item = (u32, &Call)> {
        (0..self.code.len() as u32).filter_map(|pc| Some((pc, self.call_at(pc)?)))
    }

    /// The block that an instruction is in.
    pub fn block_at(&self, pc: u32) -> BlockId {
        BlockId(self.blocks.partition_point(|block| block.end <= pc) as u32)
    }
}
