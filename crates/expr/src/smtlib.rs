//! Prints conditions as an SMT-LIB 2 script for any solver of bit-vectors, arrays and floats.
//!
//! Each input byte `i` is a constant `in<i>`. The bits of a floating-point result are a fresh constant, constrained to
//! read as the result, because the standard has no function from a float to its bits. The bits of a NaN are defined
//! explicitly, as in [`crate::float`]. Results of native functions and holes are fresh constants, too.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::ArrayNode;
use crate::expr::{Array, Expr, Width};
use crate::float::Format;
use crate::node::{Node, Stored};
use crate::op::{BinaryOp, FloatCast, FloatCmp, FloatOp, FloatUnOp, Rounding, UnaryOp};
use crate::pool::Pool;

/// A complete script that asks whether all conditions can hold together, and for a model.
pub fn script(pool: &Pool, conditions: &[Expr]) -> String {
    let mut printer = Printer::new(pool);
    for &condition in conditions {
        printer.visit(condition);
    }
    for &condition in conditions {
        let term = printer.condition(condition);
        printer.emit(format_args!("(assert {term})\n"));
    }
    printer.finish(conditions)
}

/// Longer terms get a name, so that lines stay readable and nesting shallow.
const MAX_INLINE: usize = 80;

/// The text of an expression.
#[derive(Clone)]
enum Term {
    /// Of sort `Bool`.
    Condition(String),
    /// Of a bit-vector sort.
    Bits(String),
    /// Of a floating-point sort. Its bits get a name when they are needed, and are `nan` if it is NaN.
    Float { value: String, nan: String, bits: Option<String> },
}

struct Printer<'a> {
    pool: &'a Pool,
    body: String,
    terms: FxHashMap<Expr, Term>,
    arrays: FxHashMap<Array, String>,
    /// Expressions that are used more than once.
    shared: FxHashSet<Expr>,
    has_arrays: bool,
    has_floats: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Expr(Expr),
    Array(Array),
}

impl<'a> Printer<'a> {
    fn new(pool: &'a Pool) -> Printer<'a> {
        Printer {
            pool,
            body: String::new(),
            terms: FxHashMap::default(),
            arrays: FxHashMap::default(),
            shared: FxHashSet::default(),
            has_arrays: false,
            has_floats: false,
        }
    }

    fn emit(&mut self, line: std::fmt::Arguments<'_>) {
        self.body.write_fmt(line).expect("writing to a string does not fail");
    }

    fn finish(self, conditions: &[Expr]) -> String {
        let logic = match (self.has_arrays, self.has_floats) {
            (false, false) => "QF_BV",
            (true, false) => "QF_ABV",
            (false, true) => "QF_BVFP",
            // Z3 does not accept the name QF_ABVFP.
            (true, true) => "ALL",
        };
        let mut script = format!("(set-logic {logic})\n(set-option :produce-models true)\n");
        let mut bytes: Vec<u32> =
            conditions.iter().flat_map(|&e| self.pool.support_bytes(self.pool.support(e))).copied().collect();
        bytes.sort_unstable();
        bytes.dedup();
        for byte in bytes {
            script.push_str(&format!("(declare-const in{byte} (_ BitVec 8))\n"));
        }
        script.push_str(&self.body);
        script.push_str("(check-sat)\n(get-model)\n");
        script
    }

    /// Prints the definitions that the expression needs, operands first.
    fn visit(&mut self, root: Expr) {
        for (item, shared) in self.in_order(root) {
            match item {
                Item::Expr(e) => {
                    if shared {
                        self.shared.insert(e);
                    }
                    let term = self.term(e);
                    let term = self.name(e, term);
                    self.terms.insert(e, term);
                }
                Item::Array(array) => {
                    let name = self.array(array);
                    self.arrays.insert(array, name);
                }
            }
        }
    }

    /// All subexpressions without a text yet, operands before users, and whether they are used more than once.
    fn in_order(&self, root: Expr) -> Vec<(Item, bool)> {
        let mut uses: FxHashMap<Item, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut work = vec![(Item::Expr(root), false)];
        while let Some((item, operands_done)) = work.pop() {
            let known = match item {
                Item::Expr(e) => self.terms.contains_key(&e),
                Item::Array(array) => self.arrays.contains_key(&array),
            };
            if known {
                continue;
            }
            if operands_done {
                order.push(item);
                continue;
            }
            let count = uses.entry(item).or_insert(0);
            *count += 1;
            if *count > 1 {
                continue;
            }
            work.push((item, true));
            match item {
                Item::Expr(e) => {
                    self.pool.stored(e).for_each_operand(|operand| work.push((Item::Expr(operand), false)));
                    if let Stored::Select { array, .. } = *self.pool.stored(e) {
                        work.push((Item::Array(array), false));
                    }
                }
                Item::Array(array) => match self.pool.array_node(array) {
                    ArrayNode::Table(elements) => work.extend(elements.iter().map(|&e| (Item::Expr(e), false))),
                    ArrayNode::Store { array, index, value } => {
                        work.extend([
                            (Item::Array(array), false),
                            (Item::Expr(index), false),
                            (Item::Expr(value), false),
                        ]);
                    }
                },
            }
        }
        order.into_iter().map(|item| (item, uses[&item] > 1)).collect()
    }

    /// The term, or the name of a new definition of it if it is long or shared.
    fn name(&mut self, e: Expr, term: Term) -> Term {
        let number = e.index();
        let leaf = |text: &str| !text.starts_with('(');
        match term {
            Term::Condition(text) if !leaf(&text) && (self.shared.contains(&e) || text.len() > MAX_INLINE) => {
                self.emit(format_args!("(define-fun c{number} () Bool {text})\n"));
                Term::Condition(format!("c{number}"))
            }
            Term::Bits(text) if !leaf(&text) && (self.shared.contains(&e) || text.len() > MAX_INLINE) => {
                let width = self.pool.width(e);
                self.emit(format_args!("(define-fun b{number} () (_ BitVec {width}) {text})\n"));
                Term::Bits(format!("b{number}"))
            }
            // The bits of a float mention its value twice, so it always gets a name.
            Term::Float { value, nan, bits } => {
                let Format { exponent, significand, .. } = Format::of(self.pool.width(e));
                self.emit(format_args!(
                    "(define-fun f{number} () (_ FloatingPoint {exponent} {significand}) {value})\n"
                ));
                Term::Float { value: format!("f{number}"), nan, bits }
            }
            short => short,
        }
    }

    /// As a `Bool`.
    fn condition(&mut self, e: Expr) -> String {
        match &self.terms[&e] {
            Term::Condition(text) => text.clone(),
            _ => format!("(= {} #b1)", self.bits(e)),
        }
    }

    /// As a bit-vector.
    fn bits(&mut self, e: Expr) -> String {
        match self.terms[&e].clone() {
            Term::Bits(text) => text,
            Term::Condition(text) => match text.as_str() {
                "true" => "#b1".to_string(),
                "false" => "#b0".to_string(),
                _ => format!("(ite {text} #b1 #b0)"),
            },
            Term::Float { bits: Some(name), .. } => name,
            Term::Float { value, nan, bits: None } => {
                let width = self.pool.width(e);
                let number = e.index();
                let convert = to_fp(width);
                self.emit(format_args!(
                    "(declare-const v{number} (_ BitVec {width}))\n\
                     (assert (= ({convert} v{number}) {value}))\n\
                     (define-fun b{number} () (_ BitVec {width}) (ite (fp.isNaN {value}) {nan} v{number}))\n"
                ));
                let name = format!("b{number}");
                self.terms.insert(e, Term::Float { value, nan, bits: Some(name.clone()) });
                name
            }
        }
    }

    /// As a float.
    fn float(&mut self, e: Expr) -> String {
        match &self.terms[&e] {
            Term::Float { value, .. } => value.clone(),
            _ => format!("({} {})", to_fp(self.pool.width(e)), self.bits(e)),
        }
    }

    fn term(&mut self, e: Expr) -> Term {
        let pool = self.pool;
        let number = e.index();
        let width = pool.width(e);
        match pool.node(e) {
            Node::Const { width: 1, value } => Term::Condition(if value == 0 { "false" } else { "true" }.to_string()),
            Node::Const { width, value } => Term::Bits(literal(width, value)),
            Node::Input { first, bytes } => {
                let last = first + u32::from(bytes) - 1;
                let mut text = format!("in{first}");
                for byte in first + 1..=last {
                    text = format!("(concat in{byte} {text})");
                }
                Term::Bits(text)
            }
            Node::Hole { id, width } => {
                self.emit(format_args!("(declare-const hole{id}_{width} (_ BitVec {width}))\n"));
                Term::Bits(format!("hole{id}_{width}"))
            }
            Node::Unary(UnaryOp::Not, a) if width == 1 => Term::Condition(format!("(not {})", self.condition(a))),
            Node::Unary(op, a) => {
                let name = match op {
                    UnaryOp::Not => "bvnot",
                    UnaryOp::Neg => "bvneg",
                };
                Term::Bits(format!("({name} {})", self.bits(a)))
            }
            Node::Binary(op, a, b) => self.binary(op, a, b),
            Node::Ite(c, a, b) if width == 1 => {
                Term::Condition(format!("(ite {} {} {})", self.condition(c), self.condition(a), self.condition(b)))
            }
            Node::Ite(c, a, b) => Term::Bits(format!("(ite {} {} {})", self.condition(c), self.bits(a), self.bits(b))),
            Node::Concat(hi, lo) => Term::Bits(format!("(concat {} {})", self.bits(hi), self.bits(lo))),
            Node::Extract { e, low, width } => {
                Term::Bits(format!("((_ extract {} {low}) {})", low + width - 1, self.bits(e)))
            }
            Node::ZExt(e, width) => Term::Bits(format!("((_ zero_extend {}) {})", width - pool.width(e), self.bits(e))),
            Node::SExt(e, width) => Term::Bits(format!("((_ sign_extend {}) {})", width - pool.width(e), self.bits(e))),
            Node::Float(op, mode, a, b) => {
                self.has_floats = true;
                self.float_binary(op, mode, a, b)
            }
            Node::FloatUn(op, mode, a) => {
                self.has_floats = true;
                self.float_unary(op, mode, a)
            }
            Node::FloatCmp(cmp, a, b) => {
                self.has_floats = true;
                Term::Condition(float_comparison(cmp, &self.float(a), &self.float(b)))
            }
            Node::FloatCast(op, mode, e, width) => {
                self.has_floats = true;
                self.float_cast(op, mode, e, width)
            }
            Node::FusedMulAdd(mode, a, b, c) => {
                self.has_floats = true;
                let mode = mode.smtlib_name();
                let value = format!("(fp.fma {mode} {} {} {})", self.float(a), self.float(b), self.float(c));
                Term::Float { value, nan: self.nan_result(&[a, b, c]), bits: None }
            }
            Node::Select { array, index } => self.select(array, index),
            Node::Native { .. } => {
                self.emit(format_args!("(declare-const native{number} (_ BitVec {width}))\n"));
                Term::Bits(format!("native{number}"))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Term {
        let name = match op {
            BinaryOp::Add => "bvadd",
            BinaryOp::Sub => "bvsub",
            BinaryOp::Mul => "bvmul",
            BinaryOp::UDiv => "bvudiv",
            BinaryOp::SDiv => "bvsdiv",
            BinaryOp::URem => "bvurem",
            BinaryOp::SRem => "bvsrem",
            BinaryOp::And => "bvand",
            BinaryOp::Or => "bvor",
            BinaryOp::Xor => "bvxor",
            BinaryOp::Shl => "bvshl",
            BinaryOp::LShr => "bvlshr",
            BinaryOp::AShr => "bvashr",
            BinaryOp::Eq => "=",
            BinaryOp::Ult => "bvult",
            BinaryOp::Ule => "bvule",
            BinaryOp::Slt => "bvslt",
            BinaryOp::Sle => "bvsle",
        };
        let logical = match op {
            BinaryOp::And => Some("and"),
            BinaryOp::Or => Some("or"),
            BinaryOp::Xor => Some("xor"),
            BinaryOp::Eq => Some("="),
            _ => None,
        };
        if let Some(name) = logical
            && self.pool.width(a) == 1
        {
            return Term::Condition(format!("({name} {} {})", self.condition(a), self.condition(b)));
        }
        let text = format!("({name} {} {})", self.bits(a), self.bits(b));
        if op.is_comparison() { Term::Condition(text) } else { Term::Bits(text) }
    }

    fn float_binary(&mut self, op: FloatOp, mode: Rounding, a: Expr, b: Expr) -> Term {
        let mode = mode.smtlib_name();
        let (x, y) = (self.float(a), self.float(b));
        let value = match op {
            FloatOp::Add => format!("(fp.add {mode} {x} {y})"),
            FloatOp::Sub => format!("(fp.sub {mode} {x} {y})"),
            FloatOp::Mul => format!("(fp.mul {mode} {x} {y})"),
            FloatOp::Div => format!("(fp.div {mode} {x} {y})"),
            // The standard's remainder rounds the quotient to nearest, C's towards zero. Where the former is negative,
            // adding the divisor gives the latter. Both are exact.
            FloatOp::Rem => format!(
                "(let ((x {x}) (y (fp.abs {y}))) (let ((r (fp.rem (fp.abs x) y))) \
                 (let ((r (fp.abs (ite (fp.isNegative r) (fp.add RNE r y) r)))) (ite (fp.isNegative x) (fp.neg r) r))))"
            ),
            FloatOp::Min | FloatOp::Max | FloatOp::CopySign => {
                unreachable!("{op:?} is built from other operations")
            }
        };
        Term::Float { value, nan: self.nan_result(&[a, b]), bits: None }
    }

    fn float_unary(&mut self, op: FloatUnOp, mode: Rounding, a: Expr) -> Term {
        let mode = mode.smtlib_name();
        let x = self.float(a);
        let value = match op {
            FloatUnOp::Sqrt => format!("(fp.sqrt {mode} {x})"),
            FloatUnOp::Floor => format!("(fp.roundToIntegral RTN {x})"),
            FloatUnOp::Ceil => format!("(fp.roundToIntegral RTP {x})"),
            FloatUnOp::Trunc => format!("(fp.roundToIntegral RTZ {x})"),
            FloatUnOp::Round => format!("(fp.roundToIntegral RNA {x})"),
            FloatUnOp::RoundEven => format!("(fp.roundToIntegral RNE {x})"),
            FloatUnOp::Neg | FloatUnOp::Abs | FloatUnOp::Rint => unreachable!("{op:?} is built from other operations"),
        };
        Term::Float { value, nan: self.nan_result(&[a]), bits: None }
    }

    fn float_cast(&mut self, op: FloatCast, mode: Rounding, e: Expr, width: Width) -> Term {
        let mode = mode.smtlib_name();
        match op {
            FloatCast::Float => {
                let bits = self.bits(e);
                let nan = if width == 64 {
                    format!(
                        "(concat ((_ extract 31 31) {bits}) (concat #xfff (concat ((_ extract 21 0) {bits}) {})))",
                        literal(29, 0)
                    )
                } else {
                    format!("(concat ((_ extract 63 63) {bits}) (concat #b111111111 ((_ extract 50 29) {bits})))")
                };
                Term::Float { value: format!("({} {mode} {})", to_fp(width), self.float(e)), nan, bits: None }
            }
            FloatCast::ToSigned => {
                let from = self.pool.width(e);
                let x = self.float(e);
                let limit = 1u128 << (width - 1);
                let bound = |value: i128| {
                    let bits = if from == 32 {
                        u128::from((value as f32).to_bits())
                    } else {
                        u128::from((value as f64).to_bits())
                    };
                    format!("({} {})", to_fp(from), literal(from, bits))
                };
                let (low, high) = (bound(-(limit as i128)), bound(limit as i128));
                Term::Bits(format!(
                    "(let ((x (fp.roundToIntegral RTZ {x}))) (ite (and (fp.leq {low} x) (fp.lt x {high})) \
                     ((_ fp.to_sbv {width}) RTZ x) {}))",
                    literal(width, limit)
                ))
            }
            FloatCast::FromSigned => {
                let value = format!("({} {mode} {})", to_fp(width), self.bits(e));
                Term::Float { value, nan: literal(width, 0), bits: None }
            }
            FloatCast::FromUnsigned => {
                let Format { exponent, significand, .. } = Format::of(width);
                let convert = format!("(_ to_fp_unsigned {exponent} {significand})");
                let value = format!("({convert} {mode} {})", self.bits(e));
                Term::Float { value, nan: literal(width, 0), bits: None }
            }
            FloatCast::ToUnsigned => unreachable!("conversions to unsigned are built from others"),
        }
    }

    /// The bits of a NaN result, as `float` computes them.
    fn nan_result(&mut self, operands: &[Expr]) -> String {
        let format = Format::of(self.pool.width(operands[0]));
        let quiet = literal(format.width, format.quiet.into());
        let mut text = literal(format.width, format.default_nan.into());
        for &operand in operands.iter().rev() {
            let value = self.float(operand);
            text = format!("(ite (fp.isNaN {value}) (bvor {} {quiet}) {text})", self.bits(operand));
        }
        text
    }

    fn array(&mut self, array: Array) -> String {
        self.has_arrays = true;
        let name = format!("a{}", array.index());
        let width = self.pool.array_element_width(array);
        match self.pool.array_node(array) {
            ArrayNode::Table(elements) => {
                self.emit(format_args!("(declare-const {name} (Array (_ BitVec 64) (_ BitVec {width})))\n"));
                for (i, &element) in elements.iter().enumerate() {
                    let value = self.bits(element);
                    let index = literal(64, i as u128);
                    self.emit(format_args!("(assert (= (select {name} {index}) {value}))\n"));
                }
            }
            ArrayNode::Store { array, index, value } => {
                let (index, value) = (self.bits(index), self.bits(value));
                let below = self.arrays[&array].clone();
                self.emit(format_args!(
                    "(define-fun {name} () (Array (_ BitVec 64) (_ BitVec {width})) (store {below} {index} {value}))\n"
                ));
            }
        }
        name
    }

    fn select(&mut self, array: Array, index: Expr) -> Term {
        let length = self.pool.array_len(array);
        let name = self.arrays[&array].clone();
        let at = self.bits(index);
        let element = format!("(select {name} {at})");
        if self.pool.range(index).1 < u128::from(length) {
            return Term::Bits(element);
        }
        let (end, zero) = (literal(64, length.into()), literal(self.pool.array_element_width(array), 0));
        Term::Bits(format!("(ite (bvult {at} {end}) {element} {zero})"))
    }
}

fn to_fp(width: Width) -> String {
    let Format { exponent, significand, .. } = Format::of(width);
    format!("(_ to_fp {exponent} {significand})")
}

fn float_comparison(cmp: FloatCmp, x: &str, y: &str) -> String {
    let mut parts = Vec::new();
    match (cmp.less, cmp.equal) {
        (true, true) => parts.push(format!("(fp.leq {x} {y})")),
        (true, false) => parts.push(format!("(fp.lt {x} {y})")),
        (false, true) => parts.push(format!("(fp.eq {x} {y})")),
        (false, false) => {}
    }
    if cmp.greater {
        parts.push(format!("(fp.gt {x} {y})"));
    }
    if cmp.unordered {
        parts.push(format!("(fp.isNaN {x})"));
        if x != y {
            parts.push(format!("(fp.isNaN {y})"));
        }
    }
    match parts.len() {
        0 => "false".to_string(),
        1 => parts.swap_remove(0),
        _ => format!("(or {})", parts.join(" ")),
    }
}

fn literal(width: Width, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = usize::from(width / 4))
    } else {
        format!("#b{value:0digits$b}", digits = usize::from(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_script() {
        let mut pool = Pool::new();
        let (word, byte) = (pool.input(0, 2), pool.input(7, 1));
        let wide = pool.zext(byte, 16);
        let sum = pool.add(word, wide);
        let product = pool.mul(sum, sum);
        let limit = pool.constant(16, 1000);
        let conditions = [pool.ult(product, limit), pool.eq(sum, wide)];
        let expected = "\
(set-logic QF_BV)
(set-option :produce-models true)
(declare-const in0 (_ BitVec 8))
(declare-const in1 (_ BitVec 8))
(declare-const in7 (_ BitVec 8))
(define-fun b6 () (_ BitVec 16) (bvadd (concat in1 in0) ((_ zero_extend 8) in7)))
(assert (bvult (bvmul b6 b6) #x03e8))
(assert (= (concat in1 in0) #x0000))
(check-sat)
(get-model)
";
        assert_eq!(script(&pool, &conditions), expected);
    }

    #[test]
    fn bits_of_floats_are_tied_to_their_values() {
        let mut pool = Pool::new();
        let (x, y) = (pool.input(0, 4), pool.input(4, 4));
        let sum = pool.float(FloatOp::Add, x, y);
        let low = pool.extract(sum, 0, 1);
        let text = script(&pool, &[low]);
        assert!(text.starts_with("(set-logic QF_BVFP)\n"), "{text}");
        let number = sum.index();
        assert!(text.contains(&format!("(assert (= ((_ to_fp 8 24) v{number}) f{number}))")), "{text}");
        assert!(text.contains("#xffc00000"), "an invalid sum has the default bits: {text}");
    }
}
