//! Which blocks of a function every way to a block passes, and which every way from it to an end of the function.
//!
//! The tree is computed as Cooper, Harvey and Kennedy do ("A Simple, Fast Dominance Algorithm", 2001): a block's parent is where the ways
//! up from its predecessors meet, again and again until nothing changes. Two numbers for each block then answer questions in constant time.

use secateur_program::{BlockId, Body};

/// Block `a` dominates block `b` if every way from the entry of the function to `b` passes `a`.
///
/// ```
/// use secateur_graph::{Dominators, PostDominators};
/// use secateur_program::{Block, BlockId, Body};
///
/// // Block 0 branches to blocks 1 and 2, which both go on to block 3.
/// let successors: [&[u32]; 4] = [&[1, 2], &[3], &[3], &[]];
/// let block = |next: &&[u32]| Block {
///     successors: next.iter().map(|block| BlockId(*block)).collect(),
/// #   start: 0, end: 0, native: None,
///     // ...
/// };
/// let body = Body { blocks: successors.iter().map(block).collect(), ..Body::default() };
/// assert_eq!(Dominators::new(&body).immediate(BlockId(3)), Some(BlockId(0)));
/// assert!(PostDominators::new(&body).dominates(BlockId(3), BlockId(0)));
/// ```
pub struct Dominators(Tree);

/// Block `a` post-dominates block `b` if every way from `b` to an end of the function passes `a`. An end is a block without successors: a return, or
/// what ends the path.
pub struct PostDominators(Tree);

impl Dominators {
    /// The dominators of all blocks of a function.
    pub fn new(body: &Body) -> Dominators {
        let entry: &[usize] = if body.blocks.is_empty() { &[] } else { &[0] };
        Dominators(Tree::new(entry, &successors(body), &predecessors(body)))
    }

    /// Every way from the entry to `b` passes `a`; a block dominates itself. A block that cannot be reached neither dominates nor is dominated.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.0.is_above(a, b)
    }

    /// The nearest other block that dominates a block; `None` for the entry and for blocks that cannot be reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.0.parent(block)
    }
}

impl PostDominators {
    /// The post-dominators of all blocks of a function.
    pub fn new(body: &Body) -> PostDominators {
        let successors = successors(body);
        let ends: Vec<usize> = (0..successors.len()).filter(|block| successors[*block].is_empty()).collect();
        PostDominators(Tree::new(&ends, &predecessors(body), &successors))
    }

    /// Every way from `b` to an end passes `a`; a block post-dominates itself. A block from which no end can be reached neither post-dominates nor is
    /// post-dominated.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.0.is_above(a, b)
    }

    /// The nearest other block that post-dominates a block; `None` if its ways lead to different ends, if it is an end, or if it reaches none.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.0.parent(block)
    }
}

fn successors(body: &Body) -> Vec<Vec<usize>> {
    body.blocks.iter().map(|block| indices(&block.successors)).collect()
}

fn predecessors(body: &Body) -> Vec<Vec<usize>> {
    body.predecessors().iter().map(|blocks| indices(blocks)).collect()
}

fn indices(blocks: &[BlockId]) -> Vec<usize> {
    blocks.iter().map(|block| block.index()).collect()
}

/// The tree of dominators of any graph with several roots: they are the children of one more node, the top.
struct Tree {
    /// The parent of each node in the tree; [`NONE`] if no root leads to it.
    parents: Vec<usize>,
    /// A walk through the tree enters each node at its first number and leaves it at its second.
    spans: Vec<(u32, u32)>,
}

const NONE: usize = usize::MAX;

impl Tree {
    /// `next` are the edges of the graph, and `before` the same edges in reverse.
    fn new(roots: &[usize], next: &[Vec<usize>], before: &[Vec<usize>]) -> Tree {
        let nodes = next.len();
        let top = nodes;
        let order = postorder(roots, next);
        let mut position = vec![NONE; nodes + 1];
        for (index, node) in order.iter().enumerate() {
            position[*node] = index;
        }
        position[top] = order.len();
        let mut parents = vec![NONE; nodes + 1];
        parents[top] = top;
        let mut is_root = vec![false; nodes];
        for root in roots {
            parents[*root] = top;
            is_root[*root] = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().rev() {
                let known = before[*node].iter().copied().filter(|from| parents[*from] != NONE);
                let above = is_root[*node].then_some(top).into_iter().chain(known);
                let met = above.reduce(|a, b| meet(a, b, &parents, &position)).unwrap_or(NONE);
                if parents[*node] != met {
                    parents[*node] = met;
                    changed = true;
                }
            }
        }
        let spans = spans(&parents, top);
        Tree { parents, spans }
    }

    fn is_above(&self, a: BlockId, b: BlockId) -> bool {
        let ((enters, leaves), (inner, _)) = (self.spans[a.index()], self.spans[b.index()]);
        enters <= inner && inner < leaves
    }

    fn parent(&self, node: BlockId) -> Option<BlockId> {
        let parent = self.parents[node.index()];
        (parent < self.parents.len() - 1).then_some(BlockId(parent as u32))
    }
}

/// The nodes that the roots lead to, each after all that were first found from it.
fn postorder(roots: &[usize], next: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    for root in roots {
        if std::mem::replace(&mut seen[*root], true) {
            continue;
        }
        let mut way = vec![(*root, 0)];
        while let Some((node, edge)) = way.last_mut() {
            match next[*node].get(*edge) {
                Some(to) => {
                    *edge += 1;
                    if !std::mem::replace(&mut seen[*to], true) {
                        way.push((*to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    way.pop();
                }
            }
        }
    }
    order
}

/// Where the ways up from two nodes meet: what comes later in postorder is never below.
fn meet(mut a: usize, mut b: usize, parents: &[usize], position: &[usize]) -> usize {
    while a != b {
        if position[a] < position[b] {
            a = parents[a];
        } else {
            b = parents[b];
        }
    }
    a
}

/// When a walk from the top enters and leaves each node. What it does not come to gets an empty span after all others.
fn spans(parents: &[usize], top: usize) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        if *parent != NONE && node != top {
            children[*parent].push(node);
        }
    }
    let mut spans = vec![(u32::MAX, 0); parents.len()];
    let mut time = 0;
    let mut way = vec![(top, 0)];
    while let Some((node, child)) = way.last_mut() {
        if *child == 0 {
            spans[*node].0 = time;
            time += 1;
        }
        match children[*node].get(*child) {
            Some(below) => {
                *child += 1;
                way.push((*below, 0));
            }
            None => {
                spans[*node].1 = time;
                way.pop();
            }
        }
    }
    spans
}
