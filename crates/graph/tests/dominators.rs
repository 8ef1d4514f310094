//! Dominators and post-dominators: of C programs, and compared with their definitions.

mod support;

use proptest::prelude::*;
use secateur_graph::{Dominators, PostDominators};
use secateur_program::{Block, BlockId, Body};
use support::{block_at_line, body, load_text};

const DIAMOND: &str = "int g;
int f(int a) {
    if (a > 3)
        g = 1;
    else
        g = 2;
    while (g < a)
        g++;
    return g;
}
int main(void) { return f(1); }
";

#[test]
fn dominators_of_a_branch_and_a_loop() {
    let program = load_text(DIAMOND);
    let (_, body) = body(&program, "f");
    let at = |line| block_at_line(&program, body, line);
    let dominators = Dominators::new(body);
    let entry = BlockId(0);
    assert_eq!(dominators.immediate(entry), None);
    assert_eq!(dominators.immediate(at(4)), Some(entry));
    assert_eq!(dominators.immediate(at(6)), Some(entry));
    assert_eq!(dominators.immediate(at(7)), Some(entry), "both branches lead to the loop");
    assert!(dominators.dominates(at(7), at(8)) && dominators.dominates(at(7), at(9)));
    assert!(!dominators.dominates(at(4), at(7)) && !dominators.dominates(at(8), at(9)));
}

#[test]
fn post_dominators_of_a_branch_and_a_loop() {
    let program = load_text(DIAMOND);
    let (_, body) = body(&program, "f");
    let at = |line| block_at_line(&program, body, line);
    let dominators = PostDominators::new(body);
    assert_eq!(dominators.immediate(BlockId(0)), Some(at(7)), "where the branches join");
    assert_eq!(dominators.immediate(at(4)), Some(at(7)));
    assert!(dominators.dominates(at(9), at(7)) && dominators.dominates(at(9), at(8)));
    assert!(!dominators.dominates(at(8), at(7)), "the loop may be skipped");
    assert_eq!(dominators.immediate(at(9)), None);
    assert!(!dominators.dominates(at(4), BlockId(0)));
}

#[test]
fn without_an_exit_there_are_no_post_dominators() {
    let program = load_text("int g; int main(void) {\n    for (;;)\n        g++;\n}\n");
    let (_, body) = body(&program, "main");
    let dominators = PostDominators::new(body);
    let blocks = (0..body.blocks.len() as u32).map(BlockId);
    assert!(blocks.clone().all(|block| dominators.immediate(block).is_none() && !dominators.dominates(block, block)));
    assert!(blocks.clone().all(|block| Dominators::new(body).dominates(BlockId(0), block)));
}

/// A body with random successors. Only the graph of its blocks is meaningful.
fn graphs() -> impl Strategy<Value = Body> {
    (1usize..12).prop_flat_map(|blocks| {
        let successors = prop::collection::btree_set(0..blocks as u32, 0..4);
        prop::collection::vec(successors, blocks).prop_map(|blocks| Body {
            blocks: blocks
                .into_iter()
                .enumerate()
                .map(|(index, successors)| Block {
                    start: index as u32,
                    end: index as u32 + 1,
                    successors: successors.into_iter().map(BlockId).collect(),
                    native: None,
                })
                .collect(),
            ..Body::default()
        })
    })
}

/// There is a path between two blocks that does not pass through a third.
fn reaches(body: &Body, from: BlockId, to: impl Fn(BlockId) -> bool, without: Option<BlockId>) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut left = vec![from];
    while let Some(block) = left.pop() {
        if Some(block) == without || std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        if to(block) {
            return true;
        }
        left.extend(&body.blocks[block.index()].successors);
    }
    false
}

/// The immediate dominator: of the other blocks that dominate a block, the one that all of them dominate.
fn immediate(body: &Body, block: BlockId, dominates: impl Fn(BlockId, BlockId) -> bool) -> Option<BlockId> {
    let blocks = || (0..body.blocks.len() as u32).map(BlockId);
    let others = || blocks().filter(|other| *other != block && dominates(*other, block));
    others().find(|candidate| others().all(|other| dominates(other, *candidate)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dominators_are_as_defined(body in graphs()) {
        let fast = Dominators::new(&body);
        let slow = |a: BlockId, b: BlockId| {
            reaches(&body, BlockId(0), |block| block == b, None)
                && !reaches(&body, BlockId(0), |block| block == b, Some(a))
        };
        for b in (0..body.blocks.len() as u32).map(BlockId) {
            for a in (0..body.blocks.len() as u32).map(BlockId) {
                prop_assert_eq!(fast.dominates(a, b), slow(a, b), "{} over {}", a, b);
            }
            prop_assert_eq!(fast.immediate(b), immediate(&body, b, slow), "{}", b);
        }
    }

    #[test]
    fn post_dominators_are_as_defined(body in graphs()) {
        let fast = PostDominators::new(&body);
        let is_end = |block: BlockId| body.blocks[block.index()].successors.is_empty();
        let slow = |a: BlockId, b: BlockId| reaches(&body, b, is_end, None) && !reaches(&body, b, is_end, Some(a));
        for b in (0..body.blocks.len() as u32).map(BlockId) {
            for a in (0..body.blocks.len() as u32).map(BlockId) {
                prop_assert_eq!(fast.dominates(a, b), slow(a, b), "{} over {}", a, b);
            }
            prop_assert_eq!(fast.immediate(b), immediate(&body, b, slow), "{}", b);
        }
    }
}
