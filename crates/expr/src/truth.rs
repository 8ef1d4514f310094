//! Truth tables: conditions on a single input byte, as the set of its values that satisfy them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::narrow;
use crate::byte_set::ByteSet;
use crate::expr::{Expr, Width};
use crate::float;
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

/// The values of an expression for all values of the byte.
type Column = [u64; 256];

/// Conditions of more subexpressions are evaluated value by value, to save memory.
const MAX_COLUMNS: usize = 2048;

/// Conditions of more subexpressions have no table: computing one takes some hundredths of a second, and a path may
/// have many. Tables are computed for every new condition, so the limits are constants rather than tuned numbers.
const MAX_EVALUATED: usize = 1 << 13;

impl Pool {
    /// For which values of its input byte a condition holds.
    ///
    /// `None` unless the condition depends on exactly one input byte and on neither a native function nor a hole, and
    /// is not too large.
    pub fn truth_table(&mut self, e: Expr) -> Option<ByteSet> {
        let facts = *self.facts(e);
        if facts.width != 1 || facts.native || facts.hole {
            return None;
        }
        let byte = self.supports.single(facts.support)?;
        if let Some(&known) = self.tables.get(&e) {
            return known;
        }
        let table = self.combined(e).or_else(|| self.by_columns(e)).or_else(|| self.by_evaluation(e, byte));
        self.tables.insert(e, table);
        table
    }

    /// The only input byte that a condition depends on, and the values that satisfy it; `None` if [`Pool::truth_table`]
    /// is.
    pub fn on_one_byte(&mut self, e: Expr) -> Option<(u32, ByteSet)> {
        let table = self.truth_table(e)?;
        Some((self.supports.single(self.support(e))?, table))
    }

    /// The only input byte that an expression of up to 64 bits depends on, and its value for each value of that byte.
    ///
    /// `None` if it depends on more bytes or none, on a native function or a hole, or has more than `limit`
    /// subexpressions.
    pub fn values_on_one_byte(&mut self, e: Expr, limit: usize) -> Option<(u32, [u64; 256])> {
        let facts = *self.facts(e);
        if facts.width > 64 || facts.native || facts.hole {
            return None;
        }
        let byte = self.supports.single(facts.support)?;
        let order = self.operands_first(&[e], limit)?;
        if let Some(column) = self.last_column(&order) {
            return Some((byte, column));
        }
        let mut valuation = std::mem::take(&mut self.scratch);
        let mut column = [0; 256];
        for value in 0..=255 {
            valuation.set_byte(byte, value);
            column[usize::from(value)] = valuation.eval(self, e);
        }
        self.scratch = valuation;
        Some((byte, column))
    }

    /// The table of a boolean combination of conditions whose tables are known.
    fn combined(&self, e: Expr) -> Option<ByteSet> {
        let known = |e: Expr| self.tables.get(&e)?.as_ref();
        match *self.stored(e) {
            Stored::Unary { op: UnaryOp::Not, a } => known(a).map(|table| !*table),
            Stored::Binary { op, a, b } if self.width(a) == 1 => {
                let (a, b) = (*known(a)?, *known(b)?);
                match op {
                    BinaryOp::And => Some(a & b),
                    BinaryOp::Or => Some(a | b),
                    BinaryOp::Xor => Some(a ^ b),
                    BinaryOp::Eq => Some(!(a ^ b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Evaluates all 256 values at once, operation by operation; `None` if an operation needs more than 64 bits or an
    /// array.
    fn by_columns(&self, e: Expr) -> Option<ByteSet> {
        let column = self.last_column(&self.operands_first(&[e], MAX_COLUMNS)?)?;
        Some(ByteSet::from_fn(|value| column[usize::from(value)] & 1 == 1))
    }

    /// The values of the last of these expressions, which are sorted operands first.
    fn last_column(&self, order: &[Expr]) -> Option<Column> {
        let position: FxHashMap<Expr, usize> = order.iter().enumerate().map(|(i, &e)| (e, i)).collect();
        let mut columns: Vec<Column> = Vec::with_capacity(order.len());
        for &e in order {
            let column = self.column(e, |operand| &columns[position[&operand]])?;
            columns.push(column);
        }
        columns.pop()
    }

    /// The expressions and all their subexpressions, operands before users; `None` if there are more than `limit`.
    /// Elements of arrays are not included.
    pub fn operands_first(&self, roots: &[Expr], limit: usize) -> Option<Vec<Expr>> {
        let mut found = roots.to_vec();
        let mut seen: FxHashSet<Expr> = roots.iter().copied().collect();
        let mut next = 0;
        while let Some(&e) = found.get(next) {
            next += 1;
            self.stored(e).for_each_operand(|operand| {
                if seen.insert(operand) {
                    found.push(operand);
                }
            });
            if found.len() > limit {
                return None;
            }
        }
        // Handles are numbered in the order in which they are made, operands first.
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    fn column<'a>(&self, e: Expr, of: impl Fn(Expr) -> &'a Column) -> Option<Column> {
        if self.width(e) > 64 {
            return None;
        }
        let map = |a: Expr, f: &dyn Fn(u64) -> u64| of(a).map(f);
        let column = match *self.stored(e) {
            Stored::Const { value, .. } => [value; 256],
            // The one input byte of the support.
            Stored::Input { .. } => std::array::from_fn(|value| value as u64),
            Stored::Unary { op, a } => {
                let width = self.width(a);
                map(a, &|x| narrow::unary(op, width, x))
            }
            Stored::Binary { op, a, b } if self.width(a) <= 64 => binary_column(op, self.width(a), of(a), of(b)),
            Stored::Ite { c, a, b } => {
                let (c, a, b) = (of(c), of(a), of(b));
                std::array::from_fn(|i| if c[i] != 0 { a[i] } else { b[i] })
            }
            Stored::Concat { hi, lo } => {
                let shift = self.width(lo);
                let (hi, lo) = (of(hi), of(lo));
                std::array::from_fn(|i| hi[i] << shift | lo[i])
            }
            Stored::Extract { low, width, e } if self.width(e) <= 64 => map(e, &|x| x >> low & narrow::mask(width)),
            Stored::ZExt { e, .. } => *of(e),
            Stored::SExt { width, e } => {
                let from = self.width(e);
                map(e, &|x| narrow::signed(from, x) as u64 & narrow::mask(width))
            }
            Stored::Float { op, mode, a, b } => {
                let width = self.width(a);
                let (a, b) = (of(a), of(b));
                std::array::from_fn(|i| float::binary_in(mode, op, width, a[i], b[i]))
            }
            Stored::FloatUn { op, mode, a } => {
                let width = self.width(a);
                map(a, &|x| float::unary_in(mode, op, width, x))
            }
            Stored::FloatCmp { cmp, a, b } => {
                let width = self.width(a);
                let (a, b) = (of(a), of(b));
                std::array::from_fn(|i| float::compare(cmp, width, a[i], b[i]).into())
            }
            Stored::FloatCast { op, mode, width, e } => {
                let from = self.width(e);
                map(e, &|x| float::cast_in(mode, op, from, width, x))
            }
            Stored::FusedMulAdd { mode, a, b, c } => {
                let width = self.width(a);
                let (a, b, c) = (of(a), of(b), of(c));
                std::array::from_fn(|i| float::fused_mul_add_in(mode, width, a[i], b[i], c[i]))
            }
            Stored::WideConst { .. }
            | Stored::Hole { .. }
            | Stored::Binary { .. }
            | Stored::Extract { .. }
            | Stored::Select { .. }
            | Stored::Native { .. } => return None,
        };
        Some(column)
    }

    fn by_evaluation(&mut self, e: Expr, byte: u32) -> Option<ByteSet> {
        self.operands_first(&[e], MAX_EVALUATED)?;
        let mut valuation = std::mem::take(&mut self.scratch);
        let table = ByteSet::from_fn(|value| {
            valuation.set_byte(byte, value);
            valuation.holds(self, e)
        });
        self.scratch = valuation;
        Some(table)
    }
}

/// One loop per operation, so that the compiler can vectorise each.
fn binary_column(op: BinaryOp, width: Width, a: &Column, b: &Column) -> Column {
    macro_rules! columns {
        ($($op:ident)*) => {
            match op { $(BinaryOp::$op => std::array::from_fn(|i| narrow::binary(BinaryOp::$op, width, a[i], b[i])),)* }
        };
    }
    columns!(Add Sub Mul UDiv SDiv URem SRem And Or Xor Shl LShr AShr Eq Ult Ule Slt Sle)
}
