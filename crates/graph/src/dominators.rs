//! Dominators and post-dominators of the blocks of a function.
//!
//! The tree is computed by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001):
//! the parent of a block is the common ancestor of its predecessors, iterated to a fixed point. Preorder intervals then
//! answer queries in constant time.

use secateur_program::{BlockId, Body};

/// Block `a` dominates block `b` if every path from the entry of the function to `b` passes through `a`.
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

/// Block `a` post-dominates block `b` if every path from `b` to an exit of the function passes through `a`. An exit is
/// a block without successors: it returns, or ends the execution.
pub struct PostDominators(Tree);

impl Dominators {
    /// The dominators of all blocks of a function.
    pub fn new(body: &Body) -> Dominators {
        let entry: &[usize] = if body.blocks.is_empty() { &[] } else { &[0] };
        Dominators(Tree::new(entry, &successors(body), &predecessors(body)))
    }

    /// Whether `a` dominates `b`; a block dominates itself. An unreachable block neither dominates nor is dominated.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.0.is_above(a, b)
    }

    /// The immediate dominator of a block; `None` for the entry and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.0.parent(block)
    }
}

impl PostDominators {
    /// The post-dominators of all blocks of a function.
    pub fn new(body: &Body) -> PostDominators {
        let successors = successors(body);
        let exits: Vec<usize> = (0..successors.len()).filter(|block| successors[*block].is_empty()).collect();
        PostDominators(Tree::new(&exits, &predecessors(body), &successors))
    }

    /// Whether `a` post-dominates `b`; a block post-dominates itself. A block that reaches no exit neither
    /// post-dominates nor is post-dominated.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.0.is_above(a, b)
    }

    /// The immediate post-dominator of a block; `None` if no other block post-dominates it, as for an exit or a block
    /// that reaches none.
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

/// The dominator tree of a graph with several roots, which are the children of an artificial root, the top.
struct Tree {
    /// The parent of each node in the tree; [`NONE`] if it is unreachable.
    parents: Vec<usize>,
    /// The preorder interval of each node's subtree.
    spans: Vec<(u32, u32)>,
}

const NONE: usize = usize::MAX;

impl Tree {
    /// `next` are the edges of the graph, and `before` the reversed edges.
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
                let parent = above.reduce(|a, b| common_ancestor(a, b, &parents, &position)).unwrap_or(NONE);
                if parents[*node] != parent {
                    parents[*node] = parent;
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

/// The nodes reachable from the roots, in postorder.
fn postorder(roots: &[usize], next: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    for root in roots {
        if std::mem::replace(&mut seen[*root], true) {
            continue;
        }
        let mut stack = vec![(*root, 0)];
        while let Some((node, edge)) = stack.last_mut() {
            match next[*node].get(*edge) {
                Some(to) => {
                    *edge += 1;
                    if !std::mem::replace(&mut seen[*to], true) {
                        stack.push((*to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The nearest common ancestor of two nodes. A node is never below one that precedes it in postorder.
fn common_ancestor(mut a: usize, mut b: usize, parents: &[usize], position: &[usize]) -> usize {
    while a != b {
        if position[a] < position[b] {
            a = parents[a];
        } else {
            b = parents[b];
        }
    }
    a
}

/// The preorder interval of each subtree. Unreachable nodes get an empty interval after all others.
fn spans(parents: &[usize], top: usize) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        if *parent != NONE && node != top {
            children[*parent].push(node);
        }
    }
    let mut spans = vec![(u32::MAX, 0); parents.len()];
    let mut time = 0;
    let mut stack = vec![(top, 0)];
    while let Some((node, child)) = stack.last_mut() {
        if *child == 0 {
            spans[*node].0 = time;
            time += 1;
        }
        match children[*node].get(*child) {
            Some(below) => {
                *child += 1;
                stack.push((*below, 0));
            }
            None => {
                spans[*node].1 = time;
                stack.pop();
            }
        }
    }
    spans
}
