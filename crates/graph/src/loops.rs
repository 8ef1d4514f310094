//! The natural loops of a function.
//!
//! An edge back to a block that dominates its start closes a loop; the loop is all blocks from which the edge can be
//! reached without passing the block it leads to, the head. Loops with the same head are one. A cycle that `goto`
//! enters at several places has no head and is no loop here.

use secateur_program::{BlockId, Body};

use crate::dominators::Dominators;

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block at which it is entered.
    pub head: BlockId,
    /// The blocks from which execution goes back to the head, in order.
    pub latches: Vec<BlockId>,
    /// All its blocks, in order.
    pub blocks: Vec<BlockId>,
}

/// The loops of a function.
///
/// ```
/// use secateur_graph::Loops;
/// use secateur_program::{Block, BlockId, Body};
///
/// // Block 1 is the head of a loop with block 2; block 3 follows it.
/// let successors: [&[u32]; 4] = [&[1], &[2, 3], &[1], &[]];
/// let block = |next: &&[u32]| Block {
///     successors: next.iter().map(|block| BlockId(*block)).collect(),
/// #   start: 0, end: 0, native: None,
///     // ...
/// };
/// let loops = Loops::new(&Body { blocks: successors.iter().map(block).collect(), ..Body::default() });
/// assert_eq!(loops.innermost(BlockId(2)).map(|found| found.head), Some(BlockId(1)));
/// assert_eq!(loops.innermost(BlockId(3)), None);
/// assert_eq!((loops.depth(BlockId(2)), loops.depth(BlockId(3))), (1, 0));
/// ```
pub struct Loops {
    loops: Vec<Loop>,
    /// The index of the innermost loop of each block.
    innermost: Vec<Option<usize>>,
}

impl Loops {
    /// The loops of a function.
    pub fn new(body: &Body) -> Loops {
        let dominators = Dominators::new(body);
        let predecessors = body.predecessors();
        let mut loops = Vec::new();
        for head in (0..body.blocks.len() as u32).map(BlockId) {
            let closes = |latch: &&BlockId| dominators.dominates(head, **latch);
            let mut latches: Vec<BlockId> = predecessors[head.index()].iter().filter(closes).copied().collect();
            latches.sort();
            latches.dedup();
            if !latches.is_empty() {
                let blocks = blocks_of(head, &latches, &predecessors);
                loops.push(Loop { head, latches, blocks });
            }
        }
        // Loops with different heads are nested or disjoint, so the smallest that has a block is its innermost.
        let mut innermost = vec![None; body.blocks.len()];
        let mut by_size: Vec<usize> = (0..loops.len()).collect();
        by_size.sort_by_key(|index| std::cmp::Reverse(loops[*index].blocks.len()));
        for index in by_size {
            for block in &loops[index].blocks {
                innermost[block.index()] = Some(index);
            }
        }
        Loops { loops, innermost }
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: BlockId) -> usize {
        self.loops.iter().filter(|found| found.blocks.binary_search(&block).is_ok()).count()
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<&Loop> {
        let index = self.innermost.get(block.index()).copied().flatten()?;
        self.loops.get(index)
    }
}

fn blocks_of(head: BlockId, latches: &[BlockId], predecessors: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut inside = vec![false; predecessors.len()];
    inside[head.index()] = true;
    let mut left = latches.to_vec();
    while let Some(block) = left.pop() {
        if !std::mem::replace(&mut inside[block.index()], true) {
            left.extend(&predecessors[block.index()]);
        }
    }
    (0..predecessors.len() as u32).map(BlockId).filter(|block| inside[block.index()]).collect()
}
