//! Translates expressions to terms: a memoised traversal without recursion, since conditions can be a million
//! operations deep.
//!
//! A width-1 expression is a Bool as a condition and a bit-vector as an operand; a float is a float between float
//! operations and a bit-vector elsewhere. So an expression may be translated to up to three sorts, each when it is
//! first needed.

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{Array, BinaryOp, Expr, FloatCast, Node, Pool, UnaryOp};

use crate::translate::{Format, Op, Sort, Terms, arrays, floats};
use crate::{BackendReason, Deadline, SolverError, Tuning};

/// After how many steps the deadline is checked. This is a constant because it affects only when that is noticed.
const CHECK_AFTER: usize = 1 << 12;

/// The translations so far, with one term builder and one pool.
pub(crate) struct Translator<T: Terms> {
    memo: FxHashMap<Need, Translated<T::Term>>,
    /// The variable of each input byte.
    inputs: FxHashMap<u32, T::Term>,
    /// Constraints on the variables that stand for parts of an expression: the bits of a float result, a remainder.
    definitions: FxHashMap<Expr, Vec<T::Term>>,
    /// The most terms that are built for one question.
    max_terms: usize,
}

/// The sort that an expression is wanted in.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Want {
    /// A width-1 expression as a Bool.
    Bool,
    /// Any expression as a bit-vector.
    Bits,
    /// A 32- or 64-bit expression as the float of that format.
    Float,
}

/// An expression, and the sort that it is wanted in.
pub(super) type Need = (Expr, Want);

/// A term and how deeply it is nested.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Translated<T> {
    pub(crate) term: T,
    pub(crate) depth: u32,
}

impl<T: Terms> Translator<T> {
    pub(crate) fn new(tuning: &Tuning) -> Self {
        Translator {
            memo: FxHashMap::default(),
            inputs: FxHashMap::default(),
            definitions: FxHashMap::default(),
            max_terms: tuning.smt_terms,
        }
    }

    /// The Bool term of a width-1 expression, or why there is none, such as the deadline.
    pub(crate) fn condition(
        &mut self,
        terms: &mut T,
        pool: &Pool,
        e: Expr,
        deadline: &Deadline,
    ) -> Result<Result<Translated<T::Term>, BackendReason>, SolverError> {
        let root = (e, Want::Bool);
        let mut stack = vec![root];
        let mut needs = Vec::new();
        let mut steps = 0;
        while let Some(&top) = stack.last() {
            steps += 1;
            if steps % CHECK_AFTER == 0 {
                if deadline.is_over() {
                    return Ok(Err(deadline.reason()));
                }
                if self.memo.len() > self.max_terms {
                    return Ok(Err(BackendReason::Memory));
                }
            }
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            needs.clear();
            collect_needs(pool, top, &mut needs);
            let open = stack.len();
            stack.extend(needs.iter().copied().filter(|need| !self.memo.contains_key(need)));
            if stack.len() == open {
                let below = needs.iter().map(|need| self.memo[need].depth).max().unwrap_or(0);
                let term = Step { terms, pool, translator: self }.build(top)?;
                self.memo.insert(top, Translated { term, depth: below + 1 });
                stack.pop();
            }
        }
        Ok(Ok(self.memo[&root]))
    }

    /// The constraints that must be assumed together with the conditions.
    pub(crate) fn definitions(&self, pool: &Pool, conditions: &[Expr]) -> Vec<T::Term> {
        let mut found = Vec::new();
        if self.definitions.is_empty() {
            return found;
        }
        let mut seen: FxHashSet<Expr> = conditions.iter().copied().collect();
        let mut stack: Vec<Expr> = conditions.to_vec();
        while let Some(e) = stack.pop() {
            if let Some(definitions) = self.definitions.get(&e) {
                found.extend_from_slice(definitions);
            }
            pool.for_each_operand(e, &mut |operand| {
                if seen.insert(operand) {
                    stack.push(operand);
                }
            });
        }
        found
    }

    /// The variable of an input byte, if the byte was ever translated.
    pub(crate) fn input(&self, byte: u32) -> Option<T::Term> {
        self.inputs.get(&byte).copied()
    }
}

/// The format of a float of this width; `None` if there is none.
pub(super) fn format(width: u8) -> Option<Format> {
    match width {
        32 => Some(Format::Single),
        64 => Some(Format::Double),
        _ => None,
    }
}

/// A width-1 expression that the library computes as a Bool.
fn is_boolean(pool: &Pool, e: Expr) -> bool {
    pool.width(e) == 1
        && match pool.node(e) {
            Node::Const { .. } | Node::FloatCmp(..) | Node::Ite(..) | Node::Unary(UnaryOp::Not, _) => true,
            Node::Binary(op, ..) => op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
            _ => false,
        }
}

/// An expression whose value is computed by a float operation.
fn is_float(pool: &Pool, e: Expr) -> bool {
    match pool.node(e) {
        Node::Float(..) | Node::FloatUn(..) | Node::FusedMulAdd(..) => true,
        Node::FloatCast(cast, ..) => {
            matches!(cast, FloatCast::Float | FloatCast::FromSigned | FloatCast::FromUnsigned)
        }
        _ => false,
    }
}

/// What must be translated before `(e, want)` can be.
fn collect_needs(pool: &Pool, (e, want): Need, needs: &mut Vec<Need>) {
    match want {
        Want::Bool if !is_boolean(pool, e) => return needs.push((e, Want::Bits)),
        Want::Bits if is_boolean(pool, e) => return needs.push((e, Want::Bool)),
        Want::Bits if is_float(pool, e) => {
            needs.push((e, Want::Float));
            floats::for_each_float_operand(pool, e, &mut |operand| {
                needs.extend([(operand, Want::Bits), (operand, Want::Float)]);
            });
            return;
        }
        Want::Float if !is_float(pool, e) => {
            match floats::float_view(pool, e) {
                floats::View::Ite(c, a, b) => needs.extend([(c, Want::Bool), (a, Want::Float), (b, Want::Float)]),
                floats::View::Neg(a) | floats::View::Abs(a) => needs.push((a, Want::Float)),
                floats::View::Bits => needs.push((e, Want::Bits)),
            }
            return;
        }
        _ => {}
    }
    match pool.node(e) {
        Node::Const { .. } | Node::Input { .. } | Node::Hole { .. } | Node::Native { .. } => {}
        Node::Unary(_, a) => needs.push((a, want)),
        Node::Binary(op, a, b) => {
            let inner = if is_boolean(pool, e) && both_boolean(pool, op, a, b) { Want::Bool } else { Want::Bits };
            needs.extend([(a, inner), (b, inner)]);
        }
        Node::Ite(c, a, b) => needs.extend([(c, Want::Bool), (a, want), (b, want)]),
        Node::Concat(a, b) => needs.extend([(a, Want::Bits), (b, Want::Bits)]),
        Node::Extract { e: a, .. } | Node::ZExt(a, _) | Node::SExt(a, _) => needs.push((a, Want::Bits)),
        Node::Float(_, _, a, b) | Node::FloatCmp(_, a, b) => needs.extend([(a, Want::Float), (b, Want::Float)]),
        Node::FloatUn(_, _, a) => needs.push((a, Want::Float)),
        Node::FusedMulAdd(_, a, b, c) => needs.extend([(a, Want::Float), (b, Want::Float), (c, Want::Float)]),
        Node::FloatCast(cast, _, a, _) => needs.push((a, floats::cast_operand(cast))),
        Node::Select { array, index } => {
            needs.push((index, Want::Bits));
            pool.for_each_array_operand(array, &mut |operand| needs.push((operand, Want::Bits)));
        }
    }
}

/// True if a width-1 result is best computed on Bools: the connectives, and equality of two conditions.
fn both_boolean(pool: &Pool, op: BinaryOp, a: Expr, b: Expr) -> bool {
    match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
        BinaryOp::Eq => is_boolean(pool, a) && is_boolean(pool, b),
        _ => false,
    }
}

/// Builds one term from those of its operands.
pub(super) struct Step<'a, T: Terms> {
    pub(super) terms: &'a mut T,
    pub(super) pool: &'a Pool,
    translator: &'a mut Translator<T>,
}

impl<T: Terms> Step<'_, T> {
    fn build(&mut self, (e, want): Need) -> Result<T::Term, SolverError> {
        let width = u32::from(self.pool.width(e));
        match want {
            Want::Bool if !is_boolean(self.pool, e) => {
                let (bit, one) = (self.get(e, Want::Bits), self.terms.bits(1, 1)?);
                self.terms.apply(Op::Equal, &[bit, one])
            }
            Want::Bits if is_boolean(self.pool, e) => {
                let condition = self.get(e, Want::Bool);
                let (one, zero) = (self.terms.bits(1, 1)?, self.terms.bits(1, 0)?);
                self.terms.apply(Op::Ite, &[condition, one, zero])
            }
            Want::Bits if is_float(self.pool, e) => floats::build_bits(self, e),
            Want::Float => floats::build(self, e),
            Want::Bool => self.build_boolean(e),
            Want::Bits => self.build_bits(e, width),
        }
    }

    fn build_boolean(&mut self, e: Expr) -> Result<T::Term, SolverError> {
        match self.pool.node(e) {
            Node::Const { value, .. } => self.terms.boolean(value != 0),
            Node::Unary(_, a) => {
                let a = self.get(a, Want::Bool);
                self.terms.apply(Op::Not, &[a])
            }
            Node::Ite(c, a, b) => {
                let args = [self.get(c, Want::Bool), self.get(a, Want::Bool), self.get(b, Want::Bool)];
                self.terms.apply(Op::Ite, &args)
            }
            Node::FloatCmp(compare, a, b) => floats::build_comparison(self, compare, a, b),
            Node::Binary(op, a, b) => {
                let inner = if both_boolean(self.pool, op, a, b) { Want::Bool } else { Want::Bits };
                let args = [self.get(a, inner), self.get(b, inner)];
                self.terms.apply(if inner == Want::Bool { connective(op) } else { word_operation(op) }, &args)
            }
            node => Err(unexpected(&node)),
        }
    }

    fn build_bits(&mut self, e: Expr, width: u32) -> Result<T::Term, SolverError> {
        match self.pool.node(e) {
            Node::Const { value, .. } => self.terms.bits(width, value),
            Node::Input { first, bytes } => self.build_input(first, bytes),
            Node::Hole { id, .. } => self.terms.variable(Sort::Bits(width), &format!("hole{id}")),
            Node::Native { function, .. } => self.terms.variable(Sort::Bits(width), function.name(self.pool.width(e))),
            Node::Unary(op, a) => {
                let a = self.get(a, Want::Bits);
                self.terms.apply(if op == UnaryOp::Not { Op::BvNot } else { Op::BvNeg }, &[a])
            }
            Node::Binary(op, a, b) => {
                let args = [self.get(a, Want::Bits), self.get(b, Want::Bits)];
                self.terms.apply(word_operation(op), &args)
            }
            Node::Ite(c, a, b) => {
                let args = [self.get(c, Want::Bool), self.get(a, Want::Bits), self.get(b, Want::Bits)];
                self.terms.apply(Op::Ite, &args)
            }
            Node::Concat(high, low) => {
                let args = [self.get(high, Want::Bits), self.get(low, Want::Bits)];
                self.terms.apply(Op::BvConcat, &args)
            }
            Node::Extract { e: a, low, width } => {
                let (a, low) = (self.get(a, Want::Bits), u32::from(low));
                self.terms.apply(Op::BvExtract { high: low + u32::from(width) - 1, low }, &[a])
            }
            Node::ZExt(a, _) => {
                let more = width - u32::from(self.pool.width(a));
                let a = self.get(a, Want::Bits);
                self.terms.apply(Op::BvZeroExtend(more), &[a])
            }
            Node::SExt(a, _) => {
                let more = width - u32::from(self.pool.width(a));
                let a = self.get(a, Want::Bits);
                self.terms.apply(Op::BvSignExtend(more), &[a])
            }
            Node::FloatCast(cast, _, a, _) => floats::build_to_integer(self, cast, a, width),
            Node::Select { array, index } => arrays::build_select(self, array, index),
            node => Err(unexpected(&node)),
        }
    }

    fn build_input(&mut self, first: u32, bytes: u8) -> Result<T::Term, SolverError> {
        let mut word = self.input(first)?;
        for byte in 1..u32::from(bytes) {
            let high = self.input(first + byte)?;
            word = self.terms.apply(Op::BvConcat, &[high, word])?;
        }
        Ok(word)
    }

    fn input(&mut self, byte: u32) -> Result<T::Term, SolverError> {
        if let Some(&known) = self.translator.inputs.get(&byte) {
            return Ok(known);
        }
        let variable = self.terms.variable(Sort::Bits(8), &format!("in{byte}"))?;
        self.translator.inputs.insert(byte, variable);
        Ok(variable)
    }

    /// The term of an operand.
    pub(super) fn get(&self, e: Expr, want: Want) -> T::Term {
        self.translator.memo[&(e, want)].term
    }

    /// Adds a constraint that must be assumed whenever `e` occurs.
    pub(super) fn define(&mut self, e: Expr, fact: T::Term) {
        self.translator.definitions.entry(e).or_default().push(fact);
    }

    /// The format of a float expression.
    pub(super) fn format_of(&self, e: Expr) -> Result<Format, SolverError> {
        let width = self.pool.width(e);
        format(width).ok_or_else(|| fault(format!("a float of {width} bits")))
    }

    /// The width of the elements of an array.
    pub(super) fn element_width(&self, array: Array) -> u32 {
        u32::from(self.pool.array_element_width(array))
    }
}

/// An expression that the pool should never have built.
pub(super) fn fault(message: String) -> SolverError {
    SolverError::Backend { backend: "translation", message }
}

pub(super) fn unexpected(node: &Node) -> SolverError {
    fault(format!("unexpected {node:?}"))
}

fn connective(op: BinaryOp) -> Op {
    match op {
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Xor => Op::Xor,
        // The only other operation that `both_boolean` accepts is equality.
        _ => Op::Equal,
    }
}

fn word_operation(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Add => Op::BvAdd,
        BinaryOp::Sub => Op::BvSub,
        BinaryOp::Mul => Op::BvMul,
        BinaryOp::UDiv => Op::BvUdiv,
        BinaryOp::SDiv => Op::BvSdiv,
        BinaryOp::URem => Op::BvUrem,
        BinaryOp::SRem => Op::BvSrem,
        BinaryOp::And => Op::BvAnd,
        BinaryOp::Or => Op::BvOr,
        BinaryOp::Xor => Op::BvXor,
        BinaryOp::Shl => Op::BvShl,
        BinaryOp::LShr => Op::BvLshr,
        BinaryOp::AShr => Op::BvAshr,
        BinaryOp::Eq => Op::Equal,
        BinaryOp::Ult => Op::BvUlt,
        BinaryOp::Ule => Op::BvUle,
        BinaryOp::Slt => Op::BvSlt,
        BinaryOp::Sle => Op::BvSle,
    }
}
