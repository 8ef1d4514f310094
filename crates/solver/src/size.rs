//! Estimates how large a question is for an SMT library, which bit-blasts it to a circuit. The estimate is the same in
//! every run.
//!
//! Building the circuit is what takes time before the search for an answer, and what takes memory. So its gates are
//! counted, roughly: the count need only distinguish a millisecond from a second. The factors are constants because
//! they describe circuits; how many gates are many is tuned.

use rustc_hash::FxHashSet;
use secateur_expr::{ArrayNode, BinaryOp, Expr, FloatOp, FloatUnOp, Node, Pool};

/// How many gates the circuit of all conditions has; `None` if they are more than `limit`.
pub(crate) fn gates(pool: &Pool, conditions: &[Expr], limit: u64) -> Option<u64> {
    let mut gates = 0;
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    let mut stack: Vec<Expr> = conditions.to_vec();
    while let Some(e) = stack.pop() {
        if !seen.insert(e) {
            continue;
        }
        gates += gates_of(pool, e, limit);
        if gates > limit {
            return None;
        }
        pool.for_each_operand(e, &mut |operand| stack.push(operand));
    }
    Some(gates)
}

/// About how many gates one operation takes; not exact if they are more than `limit`.
fn gates_of(pool: &Pool, e: Expr, limit: u64) -> u64 {
    let width = u64::from(pool.width(e));
    match pool.node(e) {
        Node::Const { .. } | Node::Input { .. } | Node::Hole { .. } | Node::Native { .. } => 1,
        Node::Binary(op, a, b) => of_binary(op, u64::from(pool.width(a)), pool.as_const(b).is_some()),
        Node::Float(op, ..) => of_float(op, width),
        Node::FloatUn(FloatUnOp::Sqrt, ..) => 10 * width * width,
        Node::FloatUn(..) | Node::FloatCast(..) => 60 * width,
        Node::FloatCmp(_, a, _) => 8 * u64::from(pool.width(a)),
        Node::FusedMulAdd(..) => 16 * width * width,
        Node::Select { array, .. } => {
            let mut array = array;
            let mut gates = 0;
            while let ArrayNode::Store { array: under, .. } = pool.array_node(array) {
                gates += 64 + 3 * width;
                array = under;
                if gates > limit {
                    return gates;
                }
            }
            gates + 3 * width * pool.array_len(array)
        }
        _ => 1 + width,
    }
}

fn of_binary(op: BinaryOp, width: u64, by_constant: bool) -> u64 {
    match op {
        BinaryOp::Mul if by_constant => width * width,
        BinaryOp::Mul => 6 * width * width,
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => 12 * width * width,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if !by_constant => 24 * width,
        BinaryOp::Add | BinaryOp::Sub => 8 * width,
        _ => 3 * width,
    }
}

fn of_float(op: FloatOp, width: u64) -> u64 {
    match op {
        FloatOp::Add | FloatOp::Sub => 100 * width,
        FloatOp::Mul => 8 * width * width,
        FloatOp::Div => 12 * width * width,
        _ => 200 * width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 100_000;

    /// Makes a chain one step longer.
    type Step = fn(&mut Pool, Expr, Expr) -> Expr;

    /// A chain of operations on the first words of the input, compared with a constant.
    fn chain(pool: &mut Pool, length: u32, step: Step) -> Expr {
        let (mut e, other) = (pool.input(0, 8), pool.input(8, 8));
        for _ in 0..length {
            e = step(pool, e, other);
        }
        let limit = pool.constant(64, 12_345);
        pool.ult(e, limit)
    }

    #[test]
    fn few_expensive_operations_or_many_cheap_ones_are_large() {
        let mut pool = Pool::new();
        let multiply = |pool: &mut Pool, a, b| pool.float(FloatOp::Mul, a, b);
        let divide = |pool: &mut Pool, a, b| pool.udiv(a, b);
        let mix = |pool: &mut Pool, a, b| {
            let sum = pool.add(a, b);
            pool.xor(sum, b)
        };
        let cases: [(Step, u32, bool); 6] = [
            (multiply, 2, false),
            (multiply, 10, true),
            (divide, 1, false),
            (divide, 10, true),
            (mix, 50, false),
            (mix, 1000, true),
        ];
        for (step, length, large) in cases {
            let condition = chain(&mut pool, length, step);
            assert_eq!(gates(&pool, &[condition], LIMIT).is_none(), large, "{length} steps");
        }
    }

    #[test]
    fn shared_subexpressions_count_once() {
        let mut pool = Pool::new();
        let product = |pool: &mut Pool, a, b| pool.float(FloatOp::Mul, a, b);
        let condition = chain(&mut pool, 2, product);
        let negated = pool.not(condition);
        assert!(gates(&pool, &[condition, negated, condition], LIMIT).is_some());
    }
}
