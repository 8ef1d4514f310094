//! Truth tables: conditions on a single input byte, as the set of its values that satisfy them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::narrow;
use crate::array::ArrayNode;
use crate::byte_set::ByteSet;
use crate::expr::{Array, Expr, Width};
use crate::float;
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

/// The values of an expression for all values of the byte.
type Column = [u64; 256];

/// The columns that were computed; `None` for an expression that has none.
#[derive(Default, Debug)]
pub(crate) struct Columns {
    kept: FxHashMap<Expr, Option<Box<Column>>>,
}

impl Columns {
    fn get(&self, e: Expr) -> Option<&Column> {
        self.kept.get(&e)?.as_deref()
    }

    fn has(&self, e: Expr) -> bool {
        self.kept.contains_key(&e)
    }

    /// The approximate memory use in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.kept.capacity() * size_of::<(Expr, usize)>() + self.kept.len() * size_of::<Column>()
    }
}

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
        let table = match self.combined(e) {
            Some(table) => Some(table),
            None => match self.column(e) {
                Some(column) => Some(ByteSet::from_fn(|value| column[usize::from(value)] & 1 == 1)),
                None => self.by_evaluation(e, byte),
            },
        };
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
        self.operands_first(&[e], limit)?;
        if let Some(column) = self.column(e) {
            return Some((byte, *column));
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

    /// The values of an expression on one byte, computed from those of its operands; `None` if an operation needs more
    /// than 64 bits, or if too many columns are missing.
    fn column(&mut self, e: Expr) -> Option<&Column> {
        if !self.columns.has(e) {
            if self.columns.kept.len() > self.tuning.columns_kept {
                self.columns.kept.clear();
            }
            self.compute_columns(e)?;
        }
        self.columns.get(e)
    }

    /// Computes the column of an expression and of all operands that have none yet.
    fn compute_columns(&mut self, e: Expr) -> Option<()> {
        let mut work = vec![e];
        let mut computed = 0;
        while let Some(&next) = work.last() {
            if self.columns.has(next) {
                work.pop();
                continue;
            }
            let waiting = work.len();
            self.missing_operands(next, &mut work);
            if work.len() > waiting {
                continue;
            }
            computed += 1;
            if computed > self.tuning.table_columns {
                return None;
            }
            let column = self.new_column(next).map(Box::new);
            self.columns.kept.insert(next, column);
            work.pop();
        }
        Some(())
    }

    /// Adds the operands whose columns are needed next, and are missing.
    fn missing_operands(&self, e: Expr, missing: &mut Vec<Expr>) {
        let before = missing.len();
        let mut need = |operand: Expr| {
            if !self.columns.has(operand) {
                missing.push(operand);
            }
        };
        self.stored(e).for_each_operand(&mut need);
        let Stored::Select { mut array, index } = *self.stored(e) else { return };
        let mut stores = 0;
        while let ArrayNode::Store { array: below, index, value } = self.array_node(array) {
            need(index);
            need(value);
            array = below;
            stores += 1;
            if stores > self.tuning.column_stores {
                return;
            }
        }
        // Which elements are needed is known once the index is.
        if missing.len() == before
            && let Some(index) = self.columns.get(index)
            && let ArrayNode::Table(elements) = self.array_node(array)
        {
            let selected = index.iter().filter_map(|&at| elements.get(usize::try_from(at).ok()?)).copied();
            missing.extend(selected.filter(|element| self.as_const(*element).is_none() && !self.columns.has(*element)));
        }
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

    /// A column from those of the operands.
    fn new_column(&self, e: Expr) -> Option<Column> {
        match self.stored(e) {
            // The one input byte of the support.
            Stored::Input { .. } => Some(std::array::from_fn(|value| value as u64)),
            _ => self.apply(e, |operand| self.columns.get(operand)),
        }
    }

    /// The values of an operation of at most 64 bits, from those of its operands, for `N` inputs at once. `None` if a
    /// value is missing, the expression is an input, or an operand is wider. Elements of arrays are operands, too,
    /// unless they are constants.
    pub fn apply<'a, const N: usize>(&self, e: Expr, of: impl Fn(Expr) -> Option<&'a [u64; N]>) -> Option<[u64; N]> {
        if self.width(e) > 64 {
            return None;
        }
        let map = |a: Expr, f: &dyn Fn(u64) -> u64| Some(of(a)?.map(f));
        let column = match *self.stored(e) {
            Stored::Const { value, .. } => [value; N],
            Stored::Unary { op, a } => {
                let width = self.width(a);
                map(a, &|x| narrow::unary(op, width, x))?
            }
            Stored::Binary { op, a, b } if self.width(a) <= 64 => binary_column(op, self.width(a), of(a)?, of(b)?),
            Stored::Ite { c, a, b } => {
                let (c, a, b) = (of(c)?, of(a)?, of(b)?);
                std::array::from_fn(|i| if c[i] != 0 { a[i] } else { b[i] })
            }
            Stored::Concat { hi, lo } => {
                let shift = self.width(lo);
                let (hi, lo) = (of(hi)?, of(lo)?);
                std::array::from_fn(|i| hi[i] << shift | lo[i])
            }
            Stored::Extract { low, width, e } if self.width(e) <= 64 => map(e, &|x| x >> low & narrow::mask(width))?,
            Stored::ZExt { e, .. } => *of(e)?,
            Stored::SExt { width, e } => {
                let from = self.width(e);
                map(e, &|x| narrow::signed(from, x) as u64 & narrow::mask(width))?
            }
            Stored::Float { op, mode, a, b } => {
                let width = self.width(a);
                let (a, b) = (of(a)?, of(b)?);
                std::array::from_fn(|i| float::binary_in(mode, op, width, a[i], b[i]))
            }
            Stored::FloatUn { op, mode, a } => {
                let width = self.width(a);
                map(a, &|x| float::unary_in(mode, op, width, x))?
            }
            Stored::FloatCmp { cmp, a, b } => {
                let width = self.width(a);
                let (a, b) = (of(a)?, of(b)?);
                std::array::from_fn(|i| float::compare(cmp, width, a[i], b[i]).into())
            }
            Stored::FloatCast { op, mode, width, e } => {
                let from = self.width(e);
                map(e, &|x| float::cast_in(mode, op, from, width, x))?
            }
            Stored::FusedMulAdd { mode, a, b, c } => {
                let width = self.width(a);
                let (a, b, c) = (of(a)?, of(b)?, of(c)?);
                std::array::from_fn(|i| float::fused_mul_add_in(mode, width, a[i], b[i], c[i]))
            }
            Stored::Select { array, index } => self.selected(array, of(index)?, &of)?,
            Stored::WideConst { .. }
            | Stored::Input { .. }
            | Stored::Hole { .. }
            | Stored::Binary { .. }
            | Stored::Extract { .. }
            | Stored::Native { .. } => return None,
        };
        Some(column)
    }

    /// The values of an array read, from those of the index.
    fn selected<'a, const N: usize>(
        &self,
        mut array: Array,
        index: &[u64; N],
        of: &impl Fn(Expr) -> Option<&'a [u64; N]>,
    ) -> Option<[u64; N]> {
        let length = self.array_len(array);
        let mut stores = Vec::new();
        while let ArrayNode::Store { array: below, index, value } = self.array_node(array) {
            if stores.len() == self.tuning.column_stores {
                return None;
            }
            stores.push((of(index)?, of(value)?));
            array = below;
        }
        let ArrayNode::Table(elements) = self.array_node(array) else { return None };
        let mut column = [0; N];
        for (value, result) in column.iter_mut().enumerate() {
            let at = index[value];
            // An index out of range reads 0.
            if at >= length {
                continue;
            }
            *result = match stores.iter().find(|(stored_at, _)| stored_at[value] == at) {
                Some((_, stored)) => stored[value],
                None => {
                    let element = *elements.get(usize::try_from(at).ok()?)?;
                    match self.as_const(element) {
                        Some(constant) => constant as u64,
                        None => of(element)?[value],
                    }
                }
            };
        }
        Some(column)
    }

    fn by_evaluation(&mut self, e: Expr, byte: u32) -> Option<ByteSet> {
        self.operands_first(&[e], self.tuning.table_parts)?;
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
fn binary_column<const N: usize>(op: BinaryOp, width: Width, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    macro_rules! columns {
        ($($op:ident)*) => {
            match op { $(BinaryOp::$op => std::array::from_fn(|i| narrow::binary(BinaryOp::$op, width, a[i], b[i])),)* }
        };
    }
    columns!(Add Sub Mul UDiv SDiv URem SRem And Or Xor Shl LShr AShr Eq Ult Ule Slt Sle)
}
