// The program of the examples in the documentation, as an expression:
// int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
{
    use secateur_program::*;
    let int: Box<[SlotType]> = Box::new([SlotType::Int(32)]);
    let char: Box<[SlotType]> = Box::new([SlotType::Int(8)]);
    let (read, is_seven) = (Slot(0), Slot(1));
    let value =
        |index| Some(Argument { value: Operand::constant(index), slots: int.clone(), by_value: None, signed: true });
    let edge = |to, pc| Edge { to: BlockId(to), pc, moves: Box::default(), sequential: true };
    let block = |start, end, successors: &[BlockId]| Block { start, end, successors: successors.into(), native: None };
    let body = Body {
        code: vec![
            Inst::Call { info: InfoId(0) },
            Inst::Cmp { op: CmpOp::Eq, width: 8, dst: is_seven, a: Operand::slot(read), b: Operand::constant(0) },
            Inst::Branch {
                cond: Operand::slot(is_seven),
                then_edge: EdgeId(0),
                else_edge: EdgeId(1),
                branch: BranchId(0),
            },
            Inst::Return { info: InfoId(0) },
            Inst::Return { info: InfoId(1) },
        ],
        locs: vec![LocId(0); 5],
        blocks: vec![block(0, 3, &[BlockId(1), BlockId(2)]), block(3, 4, &[]), block(4, 5, &[])],
        slots: 2,
        consts: vec![7, 1, 0],
        edges: vec![edge(1, 3), edge(2, 4)],
        calls: vec![Call { callee: Callee::Direct(FuncId(1)), args: Box::default(), dst: read, result: char.clone() }],
        returns: vec![value(1), value(2)],
        ..Body::default()
    };
    let function = |name: &str, result: &Box<[SlotType]>, body| Function {
        name: name.into(),
        params: Box::default(),
        result: result.clone(),
        variadic: false,
        user: true,
        exported: true,
        body,
        loc: LocId(0),
    };
    let program = Program {
        functions: vec![function("main", &int, Some(body)), function("__VERIFIER_nondet_char", &char, None)],
        branches: vec![Branch {
            function: FuncId(0),
            block: BlockId(0),
            loc: LocId(0),
            outcomes: 2,
            native: Some(0),
            by_address: false,
        }],
        locations: vec![Location::default()],
        files: vec!["?".to_string()],
        entry: Some(FuncId(0)),
        ..Program::default()
    };
    verify(&program).unwrap();
    std::sync::Arc::new(program)
}
