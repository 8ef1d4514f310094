//! Conditions on a single input byte, as the set of the byte values for which they hold.

use crate::eval::Valuation;
use crate::expr::Expr;
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

/// For each value of a byte, whether a condition holds: bit `v % 64` of word `v / 64` stands for the value `v`.
pub type TruthTable = [u64; 4];

impl Pool {
    /// For which values of its input byte a condition holds.
    ///
    /// `None` unless the condition depends on exactly one input byte and on neither a native function nor a hole.
    pub fn truth_table(&mut self, e: Expr) -> Option<TruthTable> {
        let facts = *self.facts(e);
        if facts.width != 1 || facts.native || facts.hole {
            return None;
        }
        let byte = self.supports.single(facts.support)?;
        if let Some(&known) = self.tables.get(&e) {
            return Some(known);
        }
        let bits = self.combined(e).unwrap_or_else(|| self.tabulate(e, byte));
        self.tables.insert(e, bits);
        Some(bits)
    }

    /// The table of a boolean combination of conditions whose tables are known.
    fn combined(&self, e: Expr) -> Option<TruthTable> {
        let known = |e: Expr| self.tables.get(&e);
        match *self.stored(e) {
            Stored::Unary { op: UnaryOp::Not, a } => known(a).map(|table| table.map(|word| !word)),
            Stored::Binary { op, a, b } if self.width(a) == 1 => {
                let (a, b) = (known(a)?, known(b)?);
                let combine: fn(u64, u64) -> u64 = match op {
                    BinaryOp::And => |x, y| x & y,
                    BinaryOp::Or => |x, y| x | y,
                    BinaryOp::Xor => |x, y| x ^ y,
                    BinaryOp::Eq => |x, y| !(x ^ y),
                    _ => return None,
                };
                Some(std::array::from_fn(|i| combine(a[i], b[i])))
            }
            _ => None,
        }
    }

    fn tabulate(&self, e: Expr, byte: u32) -> TruthTable {
        let mut valuation = Valuation::new(Vec::new());
        let mut bits = [0; 4];
        for value in 0..=255 {
            valuation.set_byte(byte, value);
            bits[usize::from(value / 64)] |= u64::from(valuation.holds(self, e)) << (value % 64);
        }
        bits
    }
}
