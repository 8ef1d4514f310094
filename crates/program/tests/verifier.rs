//! The verifier finds each kind of damage.

mod common;

use common::load_c;
use secateur_program::*;

/// A program with one of everything that can be damaged.
fn program() -> Program {
    let text = r#"
        int table[4] = {1, 2, 3};
        __int128 wide(__int128 a) { return a * 3; }
        double mean(double a, float b) { return (a + b) / 2; }
        __attribute__((noinline)) int f(int *p, int n) {
          int s = 0;
          for (int i = 0; i < n; i++) s += p[i];
          switch (n) { case 1: return s; case 2: return s + 1; case 9: return 7; default: return table[n & 3]; }
        }
        int main(int argc, char **argv) { return f(table, argc) + (int)wide(argc) + (int)mean(argc, 2); }
    "#;
    load_c(text, OptLevel::O1).program
}

/// Damages the program, and expects the verifier to report it.
fn check(expected: &str, damage: impl FnOnce(&mut Program)) {
    let mut program = program();
    assert_eq!(verify(&program), Ok(()));
    damage(&mut program);
    let faults = verify(&program).expect_err("the damage is found");
    assert!(faults.iter().any(|fault| fault.contains(expected)), "{faults:#?}");
}

fn body<'a>(program: &'a mut Program, name: &str) -> &'a mut Body {
    let id = program.function(name).expect("the function exists");
    program.functions[id.index()].body.as_mut().expect("it has a body")
}

fn replace(program: &mut Program, name: &str, change: impl Fn(&mut Inst) -> bool) {
    let done = body(program, name).code.iter_mut().any(change);
    assert!(done, "there is such an instruction");
}

#[test]
fn operands_must_exist() {
    check("reads c4096, which does not exist", |program| {
        replace(program, "main", |inst| match inst {
            Inst::Bin { a, .. } => {
                *a = Operand::constant(4096);
                true
            }
            _ => false,
        });
    });
    check("reads %999, which does not exist", |program| {
        replace(program, "f", |inst| match inst {
            Inst::Load { addr, .. } => {
                *addr = Operand::slot(Slot(999));
                true
            }
            _ => false,
        });
    });
}

#[test]
fn results_must_exist() {
    check("writes %999, which does not exist", |program| {
        replace(program, "main", |inst| match inst {
            Inst::Bin { dst, .. } => {
                *dst = Slot(999);
                true
            }
            _ => false,
        });
    });
    // The second slot of a wide result counts, too.
    check("which does not exist", |program| {
        let last = Slot(body(program, "wide").slots - 1);
        replace(program, "wide", |inst| match inst {
            Inst::BinWide { dst, .. } => {
                *dst = last;
                true
            }
            _ => false,
        });
    });
}

#[test]
fn widths_must_be_sane() {
    check("is malformed", |program| {
        replace(program, "main", |inst| match inst {
            Inst::Bin { width, .. } => {
                *width = 65;
                true
            }
            _ => false,
        });
    });
    check("is malformed", |program| {
        replace(program, "mean", |inst| match inst {
            Inst::Float { width, .. } => {
                *width = 16;
                true
            }
            _ => false,
        });
    });
    check("is malformed", |program| {
        replace(program, "f", |inst| match inst {
            Inst::Load { bytes, .. } => {
                *bytes = 1;
                true
            }
            _ => false,
        });
    });
}

#[test]
fn blocks_must_end_in_a_terminator_and_only_there() {
    check("ends its block early", |program| {
        let body = body(program, "main");
        body.code[0] = Inst::Unreachable;
    });
    check("does not end its block", |program| {
        let body = body(program, "main");
        let last = body.code.len() - 1;
        body.code[last] = Inst::Move { dst: Slot(0), src: Operand::slot(Slot(0)) };
    });
    check("there is code after the last block", |program| {
        let body = body(program, "main");
        body.code.push(Inst::Unreachable);
        body.locs.push(LocId(0));
    });
    check("are not those of its terminator", |program| {
        body(program, "f").blocks[0].successors = Box::default();
    });
}

#[test]
fn edges_must_lead_somewhere() {
    check("leads to a block that does not exist", |program| body(program, "f").edges[0].to = BlockId(77));
    check("does not lead to the start of its block", |program| body(program, "f").edges[0].pc += 1);
    check("is not sequential", |program| {
        let edge = &mut body(program, "f").edges[0];
        edge.moves = [(Slot(0), Operand::slot(Slot(1))), (Slot(1), Operand::slot(Slot(0)))].into();
        edge.sequential = true;
    });
    check("twice", |program| {
        let edge = &mut body(program, "f").edges[0];
        edge.moves = [(Slot(0), Operand::slot(Slot(1))), (Slot(0), Operand::slot(Slot(2)))].into();
    });
}

#[test]
fn switches_must_be_sorted_and_complete() {
    check("has cases out of order", |program| body(program, "f").switches[0].cases.reverse());
    check("has a case without a target", |program| body(program, "f").switches[0].cases[0].1 = 99);
    check("is not the branch that it says it is", |program| body(program, "f").switches[0].branch = BranchId(0));
}

#[test]
fn tables_must_fit_together() {
    check("calls a function that does not exist", |program| {
        body(program, "main").calls[0].callee = Callee::Direct(FuncId(500));
    });
    check("returns something else than the function does", |program| body(program, "main").returns[0] = None);
    check("instructions and locations differ in number", |program| body(program, "main").locs.clear());
    check("has more content than room", |program| program.globals[0].init = vec![1; 100]);
    check("is run, but does not exist", |program| program.entry = Some(FuncId(500)));
    check("does not say where it is", |program| program.branches[0].block = BlockId(500));
    check("is in a file that does not exist", |program| program.locations[1].file = 500);
}
