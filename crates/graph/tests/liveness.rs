//! Live slots: of C programs, and compared with their definition.

mod support;

use proptest::prelude::*;
use secateur_graph::{Graph, Liveness};
use secateur_program::{
    Argument, BinOp, Block, BlockId, Body, BranchId, Call, Callee, Edge, EdgeId, FuncId, InfoId, Inst, LocId, Operand,
    OperandKind, Program, Returns, Slot, SlotType,
};
use support::{body, line, load_text};

/// The first instruction at a line.
fn first_at(program: &Program, body: &Body, wanted: u32) -> u32 {
    (0..body.code.len() as u32).find(|pc| line(program, body, *pc) == wanted).expect("code at the line")
}

#[test]
fn a_parameter_is_live_until_its_last_use() {
    let program = load_text(
        "int g;
int f(int a, int b) {
    g = b;
    if (a > 0)
        g = 2;
    return g;
}
int main(void) { return f(1, 2); }
",
    );
    let (_, body) = body(&program, "f");
    let liveness = Liveness::new(body, |_| false);
    let (a, b) = (Slot(0), Slot(1));
    // The parameters may be moved to other slots first, so only the number of live values matters.
    let start = liveness.before(0);
    assert!(start.contains(a) && start.contains(b), "{start:?}");
    assert_eq!(start.len(), 2, "{start:?}");
    assert_eq!(liveness.before(first_at(&program, body, 4)).len(), 1, "only a is left");
    assert!(liveness.before(first_at(&program, body, 5)).is_empty());
    assert!(liveness.before(first_at(&program, body, 6)).is_empty());
}

#[test]
fn a_longjmp_keeps_slots_live() {
    let program = load_text(
        "int mark(void *) __attribute__((returns_twice));
void jump(void *);
int g, buffer[8];
int f(int a) {
    int seen = mark(buffer);
    if (seen)
        return a;
    g = 1;
    jump(buffer);
    return 0;
}
int main(void) { return f(1); }
",
    );
    let returns = |id: FuncId| match &*program.functions[id.index()].name {
        "mark" => Returns::Twice,
        "jump" => Returns::Elsewhere,
        _ => Returns::Once,
    };
    let graph = Graph::new(&program, returns);
    let (_, body) = body(&program, "f");
    let jump = (0..body.code.len() as u32).rfind(|pc| matches!(body.code[*pc as usize], Inst::Call { .. }));
    let jump = jump.expect("a call of jump");
    let aware = Liveness::new(body, |callee| graph.may_return_again(callee));
    // The compiler may keep `a` in memory, because `setjmp` returns twice; then its address must be live.
    let needed: Vec<Slot> = aware.before(jump).iter().collect();
    assert!(!needed.is_empty());
    assert!(Liveness::new(body, |_| false).before(jump).len() < needed.len());
}

const SLOTS: u32 = 5;

/// An instruction of a random body.
#[derive(Clone, Debug)]
enum Step {
    Move(u32, Option<u32>),
    Add(u32, Option<u32>, Option<u32>),
    /// A call of function 0 or 1 with a result; function 0 may return again.
    Call(u32, u32, Option<u32>),
}

#[derive(Clone, Debug)]
struct Part {
    steps: Vec<Step>,
    /// The operand of the branch or the return.
    read: Option<u32>,
    /// Where each edge goes, and its moves.
    edges: Vec<(prop::sample::Index, Moves)>,
}

/// To a slot, from a slot or a constant.
type Moves = Vec<(u32, Option<u32>)>;

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let slot = || 0..SLOTS;
    let operand = move || prop::option::of(slot());
    let step = prop_oneof![
        (slot(), operand()).prop_map(|(dst, src)| Step::Move(dst, src)),
        (slot(), operand(), operand()).prop_map(|(dst, a, b)| Step::Add(dst, a, b)),
        (0..2u32, slot(), operand()).prop_map(|(callee, dst, arg)| Step::Call(callee, dst, arg)),
    ];
    let moves = prop::collection::vec((slot(), operand()), 0..3);
    let edges = prop::collection::vec((any::<prop::sample::Index>(), moves), 0..3);
    let part = (prop::collection::vec(step, 0..4), operand(), edges).prop_map(|(steps, read, edges)| Part {
        steps,
        read,
        edges,
    });
    prop::collection::vec(part, 1..6)
}

fn operand(slot: Option<u32>) -> Operand {
    slot.map_or(Operand::constant(0), |slot| Operand::slot(Slot(slot)))
}

fn argument(slot: Option<u32>) -> Argument {
    Argument { value: operand(slot), slots: Box::new([SlotType::Int(32)]), by_value: None, signed: false }
}

fn assemble(parts: &[Part]) -> Body {
    let mut body = Body { slots: SLOTS, consts: vec![0], ..Body::default() };
    let mut starts = Vec::new();
    for part in parts {
        let start = body.code.len() as u32;
        starts.push(start);
        for step in &part.steps {
            body.code.push(match *step {
                Step::Move(dst, src) => Inst::Move { dst: Slot(dst), src: operand(src) },
                Step::Add(dst, a, b) => {
                    Inst::Bin { op: BinOp::Add, width: 32, dst: Slot(dst), a: operand(a), b: operand(b) }
                }
                Step::Call(callee, dst, arg) => {
                    body.calls.push(Call {
                        callee: Callee::Direct(FuncId(callee)),
                        args: Box::new([argument(arg)]),
                        dst: Slot(dst),
                        result: Box::new([SlotType::Int(32)]),
                    });
                    Inst::Call { info: InfoId(body.calls.len() as u32 - 1) }
                }
            });
        }
        let first = body.edges.len() as u32;
        for (to, moves) in &part.edges {
            let to = BlockId(to.index(parts.len()) as u32);
            let moves = moves.iter().map(|(dst, src)| (Slot(*dst), operand(*src))).collect();
            body.edges.push(Edge { to, pc: 0, moves, sequential: false });
        }
        body.code.push(match part.edges.len() {
            0 => {
                body.returns.push(Some(argument(part.read)));
                Inst::Return { info: InfoId(body.returns.len() as u32 - 1) }
            }
            1 => Inst::Jump { edge: EdgeId(first) },
            _ => Inst::Branch {
                cond: operand(part.read),
                then_edge: EdgeId(first),
                else_edge: EdgeId(first + 1),
                branch: BranchId(0),
            },
        });
        let mut successors: Vec<BlockId> = body.edges[first as usize..].iter().map(|edge| edge.to).collect();
        successors.dedup();
        let end = body.code.len() as u32;
        body.blocks.push(Block { start, end, successors: successors.into(), native: None });
    }
    for edge in &mut body.edges {
        edge.pc = starts[edge.to.index()];
    }
    body.locs = vec![LocId(0); body.code.len()];
    body
}

/// Some path from an instruction reads a slot before it writes it.
fn is_read_first(body: &Body, slot: Slot, from: u32, marks: &[u32]) -> bool {
    let is = |operand: Operand| operand.kind() == OperandKind::Slot(slot);
    let writes = |inst: &Inst| {
        let mut found = false;
        body.accesses(inst, |_, _| {}, |dst, count| found |= (dst.0..dst.0 + count).contains(&slot.0));
        found
    };
    let mut seen = vec![false; body.code.len()];
    let mut left = vec![from];
    while let Some(pc) = left.pop() {
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        let inst = &body.code[pc as usize];
        let mut reads = false;
        body.accesses(inst, |src, _| reads |= is(src), |_, _| {});
        if reads {
            return true;
        }
        if matches!(inst, Inst::Call { .. }) {
            left.extend(marks.iter().filter(|mark| !writes(&body.code[**mark as usize])).map(|mark| mark + 1));
        }
        if inst.is_terminator() {
            for edge in body.edges_of(inst) {
                let edge = &body.edges[edge.index()];
                if edge.moves.iter().any(|(_, src)| is(*src)) {
                    return true;
                }
                if edge.moves.iter().all(|(dst, _)| *dst != slot) {
                    left.push(edge.pc);
                }
            }
        } else if !writes(inst) {
            left.push(pc + 1);
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn live_slots_are_read_first_on_some_path(parts in parts(), jumps in any::<bool>()) {
        let body = assemble(&parts);
        let may_return_again = |callee: Callee| jumps && callee == Callee::Direct(FuncId(0));
        let is_mark = |pc: &u32| {
            matches!(body.code[*pc as usize], Inst::Call { info } if may_return_again(body.calls[info.index()].callee))
        };
        let marks: Vec<u32> = (0..body.code.len() as u32).filter(is_mark).collect();
        let liveness = Liveness::new(&body, may_return_again);
        for pc in 0..body.code.len() as u32 {
            let live = liveness.before(pc);
            let read_first = (0..SLOTS).map(Slot).filter(|slot| is_read_first(&body, *slot, pc, &marks));
            let expected: Vec<Slot> = read_first.collect();
            prop_assert_eq!(live.iter().collect::<Vec<_>>(), expected, "before {} of {:?}", pc, body.code);
        }
        for (index, block) in body.blocks.iter().enumerate() {
            prop_assert_eq!(liveness.at_entry(BlockId(index as u32)), &liveness.before(block.start));
        }
    }
}
