//! Expressions as a flat register program, to be evaluated on many inputs.
//!
//! A [`Valuation`](crate::Valuation) evaluates what it is asked for and remembers it, which suits one input and many
//! questions. A search asks the same few questions about millions of inputs: here each operation is decoded once, its
//! operands are registers, and an evaluation is one pass without look-ups. Both sides of a choice are computed.

use rustc_hash::FxHashMap;

use crate::arith::{narrow, wide};
use crate::array::ArrayNode;
use crate::expr::{Array, Expr, Width};
use crate::float;
use crate::native::NativeFn;
use crate::node::Node;
use crate::op::{BinaryOp, FloatCast, FloatCmp, FloatOp, FloatUnOp, Rounding, UnaryOp};
use crate::pool::Pool;

/// Where the value of an expression is after a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Register(u32);

/// A program that computes some expressions.
///
/// ```
/// use secateur_expr::{Pool, Tape};
///
/// let mut pool = Pool::new();
/// let (word, hole) = (pool.input(0, 2), pool.hole(7, 16));
/// let sum = pool.add(word, hole);
/// let mut tape = Tape::new(&pool, &[sum]);
/// tape.set_hole(7, 1);
/// tape.run(&[0xff, 0x01]);
/// assert_eq!(tape.value(tape.register(sum).unwrap()), 0x200);
/// ```
#[derive(Clone, Debug)]
pub struct Tape {
    /// The constants, the holes, and the result of each operation, in this order.
    registers: Vec<u128>,
    operations: Vec<Operation>,
    /// The register of the first operation.
    first: usize,
    arrays: Vec<FlatArray>,
    known: FxHashMap<Expr, Register>,
    holes: FxHashMap<u32, (Register, Width)>,
}

/// An operation; its result is in the register that has its number.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Input { first: u32, bytes: u8 },
    Unary { op: UnaryOp, width: Width, a: Register },
    Binary { op: BinaryOp, width: Width, a: Register, b: Register },
    Ite { c: Register, a: Register, b: Register },
    Concat { high: Register, low: Register, bits: Width },
    Extract { e: Register, low: u8, width: Width },
    Copy { e: Register },
    SExt { e: Register, from: Width, to: Width },
    Float { op: FloatOp, mode: Rounding, width: Width, a: Register, b: Register },
    FloatUn { op: FloatUnOp, mode: Rounding, width: Width, a: Register },
    FloatCmp { cmp: FloatCmp, width: Width, a: Register, b: Register },
    FloatCast { op: FloatCast, mode: Rounding, from: Width, to: Width, a: Register },
    FusedMulAdd { mode: Rounding, width: Width, a: Register, b: Register, c: Register },
    Select { array: u32, index: Register },
    One { function: NativeFn, width: Width, a: Register },
    Two { function: NativeFn, width: Width, a: Register, b: Register },
}

/// An array: stores, the newest first, over a table.
#[derive(Clone, Debug)]
struct FlatArray {
    stores: Vec<(Register, Register)>,
    table: Vec<Register>,
}

impl Tape {
    /// The program for these expressions.
    pub fn new(pool: &Pool, roots: &[Expr]) -> Tape {
        let order = operands_first(pool, roots);
        let (mut constants, mut holes, mut computed) = (Vec::new(), Vec::new(), Vec::new());
        for e in order {
            match pool.node(e) {
                Node::Const { .. } => constants.push(e),
                Node::Hole { .. } => holes.push(e),
                _ => computed.push(e),
            }
        }
        let first = constants.len() + holes.len();
        let mut tape = Tape {
            registers: vec![0; first + computed.len()],
            operations: Vec::with_capacity(computed.len()),
            first,
            arrays: Vec::new(),
            known: FxHashMap::default(),
            holes: FxHashMap::default(),
        };
        for (number, e) in constants.into_iter().chain(holes).chain(computed).enumerate() {
            let register = Register(number as u32);
            match pool.node(e) {
                Node::Const { value, .. } => tape.registers[number] = value,
                Node::Hole { id, width } => drop(tape.holes.insert(id, (register, width))),
                node => {
                    let operation = tape.operation(pool, node);
                    tape.operations.push(operation);
                }
            }
            tape.known.insert(e, register);
        }
        tape
    }

    /// The register of an expression; `None` if the program does not compute it.
    pub fn register(&self, e: Expr) -> Option<Register> {
        self.known.get(&e).copied()
    }

    /// Sets the value of a hole for the runs that follow. It need not occur.
    pub fn set_hole(&mut self, id: u32, value: u128) {
        if let Some((register, width)) = self.holes.get(&id) {
            self.registers[register.0 as usize] = value & wide::mask(*width);
        }
    }

    /// Computes everything under an input; bytes that it does not have are 0.
    pub fn run(&mut self, input: &[u8]) {
        for number in 0..self.operations.len() {
            self.registers[self.first + number] = self.compute(self.operations[number], input);
        }
    }

    /// The value of a register after the last run.
    #[inline]
    pub fn value(&self, register: Register) -> u128 {
        self.registers[register.0 as usize]
    }

    /// How many operations a run takes.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// There is nothing to compute.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    fn operation(&mut self, pool: &Pool, node: Node) -> Operation {
        let at = |e: Expr| self.known[&e];
        match node {
            Node::Const { .. } | Node::Hole { .. } => unreachable!("their registers are set from outside"),
            Node::Input { first, bytes } => Operation::Input { first, bytes },
            Node::Unary(op, a) => Operation::Unary { op, width: pool.width(a), a: at(a) },
            Node::Binary(op, a, b) => Operation::Binary { op, width: pool.width(a), a: at(a), b: at(b) },
            Node::Ite(c, a, b) => Operation::Ite { c: at(c), a: at(a), b: at(b) },
            Node::Concat(high, low) => Operation::Concat { high: at(high), low: at(low), bits: pool.width(low) },
            Node::Extract { e, low, width } => Operation::Extract { e: at(e), low, width },
            Node::ZExt(e, _) => Operation::Copy { e: at(e) },
            Node::SExt(e, to) => Operation::SExt { e: at(e), from: pool.width(e), to },
            Node::Float(op, mode, a, b) => Operation::Float { op, mode, width: pool.width(a), a: at(a), b: at(b) },
            Node::FloatUn(op, mode, a) => Operation::FloatUn { op, mode, width: pool.width(a), a: at(a) },
            Node::FloatCmp(cmp, a, b) => Operation::FloatCmp { cmp, width: pool.width(a), a: at(a), b: at(b) },
            Node::FloatCast(op, mode, a, to) => Operation::FloatCast { op, mode, from: pool.width(a), to, a: at(a) },
            Node::FusedMulAdd(mode, a, b, c) => {
                Operation::FusedMulAdd { mode, width: pool.width(a), a: at(a), b: at(b), c: at(c) }
            }
            Node::Native { function, args } => {
                let width = pool.width(args[0]);
                match *args {
                    [a] => Operation::One { function, width, a: at(a) },
                    [a, b] => Operation::Two { function, width, a: at(a), b: at(b) },
                    _ => unreachable!("a native function has one or two arguments"),
                }
            }
            Node::Select { array, index } => {
                let index = at(index);
                let flat = self.flatten(pool, array);
                self.arrays.push(flat);
                Operation::Select { array: self.arrays.len() as u32 - 1, index }
            }
        }
    }

    fn flatten(&self, pool: &Pool, mut array: Array) -> FlatArray {
        let mut stores = Vec::new();
        loop {
            match pool.array_node(array) {
                ArrayNode::Store { array: under, index, value } => {
                    stores.push((self.known[&index], self.known[&value]));
                    array = under;
                }
                ArrayNode::Table(elements) => {
                    let table = elements.iter().map(|element| self.known[element]).collect();
                    return FlatArray { stores, table };
                }
            }
        }
    }

    #[inline]
    fn compute(&self, operation: Operation, input: &[u8]) -> u128 {
        let at = |register: Register| self.registers[register.0 as usize];
        let low = |register: Register| self.registers[register.0 as usize] as u64;
        match operation {
            Operation::Input { first, bytes } => {
                let byte = |at: u32| u128::from(input.get(at as usize).copied().unwrap_or(0));
                (0..u32::from(bytes)).rev().fold(0, |word, i| word << 8 | byte(first + i))
            }
            Operation::Unary { op, width: width @ ..=64, a } => narrow::unary(op, width, low(a)).into(),
            Operation::Unary { op, width, a } => wide::unary(op, width, at(a)),
            Operation::Binary { op, width: width @ ..=64, a, b } => narrow::binary(op, width, low(a), low(b)).into(),
            Operation::Binary { op, width, a, b } => wide::binary(op, width, at(a), at(b)),
            Operation::Ite { c, a, b } => at(if at(c) != 0 { a } else { b }),
            Operation::Concat { high, low, bits } => at(high) << bits | at(low),
            Operation::Extract { e, low, width } => at(e) >> low & wide::mask(width),
            Operation::Copy { e } => at(e),
            Operation::SExt { e, from, to } => wide::signed(from, at(e)) as u128 & wide::mask(to),
            Operation::Float { op, mode, width, a, b } => float::binary_in(mode, op, width, low(a), low(b)).into(),
            Operation::FloatUn { op, mode, width, a } => float::unary_in(mode, op, width, low(a)).into(),
            Operation::FloatCmp { cmp, width, a, b } => float::compare(cmp, width, low(a), low(b)).into(),
            Operation::FloatCast { op, mode, from, to, a } => float::cast_in(mode, op, from, to, low(a)).into(),
            Operation::FusedMulAdd { mode, width, a, b, c } => {
                float::fused_mul_add_in(mode, width, low(a), low(b), low(c)).into()
            }
            Operation::One { function, width, a } => function.call(width, &[low(a)]).into(),
            Operation::Two { function, width, a, b } => function.call(width, &[low(a), low(b)]).into(),
            Operation::Select { array, index } => {
                let FlatArray { stores, table } = &self.arrays[array as usize];
                let index = low(index);
                if index >= table.len() as u64 {
                    return 0;
                }
                let stored = stores.iter().find(|(place, _)| low(*place) == index);
                stored.map_or_else(|| at(table[index as usize]), |(_, value)| at(*value))
            }
        }
    }
}

/// All subexpressions, each after those that it is computed from.
fn operands_first(pool: &Pool, roots: &[Expr]) -> Vec<Expr> {
    let mut order = Vec::new();
    // True once the operands are done.
    let mut seen: FxHashMap<Expr, bool> = FxHashMap::default();
    let mut work: Vec<Expr> = roots.iter().rev().copied().collect();
    let mut operands = Vec::new();
    while let Some(e) = work.pop() {
        match seen.get(&e) {
            Some(true) => {}
            Some(false) => {
                seen.insert(e, true);
                order.push(e);
            }
            None => {
                seen.insert(e, false);
                work.push(e);
                operands.clear();
                pool.for_each_operand(e, &mut |operand| operands.push(operand));
                work.extend(operands.iter().rev().filter(|operand| !seen.contains_key(operand)));
            }
        }
    }
    order
}
