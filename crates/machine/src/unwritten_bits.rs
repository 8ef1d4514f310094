//! Which bits of a register depend on memory that was never written.
//!
//! Bits, because the fields of a structure may be bits of the same byte: without optimisation, each is set by reading
//! the byte, replacing some bits and writing it back, and is read by masking the rest away. The rules are those by
//! which values depend on each other, whatever was in that memory: `x & 1` depends on bit 0 of `x` alone.

use rustc_hash::FxHashMap;
use secateur_program::{BinOp, CastOp, CmpOp, UnOp};

use crate::concrete;
use crate::value::{Value, mask};

/// A set of bits, by its number in [`UnwrittenSets`]: a number is all that fits into a register without making it
/// larger, and nearly all registers have the empty set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnwrittenBits(u32);

impl UnwrittenBits {
    /// No bit.
    pub const NONE: UnwrittenBits = UnwrittenBits(0);
    /// All bits.
    pub const ALL: UnwrittenBits = UnwrittenBits(1);

    /// Whether there is no bit.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The sets of bits that occurred. They are few: parts of words, mostly.
#[derive(Debug)]
pub(crate) struct UnwrittenSets {
    sets: Vec<u64>,
    numbers: FxHashMap<u64, UnwrittenBits>,
}

/// A program that makes ever new sets must not take ever more memory. Its further ones become the full set, which is
/// never wrong. It is a constant because no sensible program comes near it.
const MOST_SETS: usize = 1 << 16;

impl Default for UnwrittenSets {
    fn default() -> UnwrittenSets {
        UnwrittenSets { sets: vec![0, u64::MAX], numbers: FxHashMap::default() }
    }
}

impl UnwrittenSets {
    /// The set with these bits of a value of `width` bits.
    pub(crate) fn number(&mut self, bits: u64, width: u8) -> UnwrittenBits {
        let all = mask(width);
        if bits & all == 0 {
            return UnwrittenBits::NONE;
        }
        if bits & all == all {
            return UnwrittenBits::ALL;
        }
        if self.sets.len() == MOST_SETS {
            return self.numbers.get(&(bits & all)).copied().unwrap_or(UnwrittenBits::ALL);
        }
        *self.numbers.entry(bits & all).or_insert_with(|| {
            self.sets.push(bits & all);
            UnwrittenBits(self.sets.len() as u32 - 1)
        })
    }

    /// The bits of a set.
    pub(crate) fn bits(&self, number: UnwrittenBits) -> u64 {
        self.sets.get(number.0 as usize).copied().unwrap_or(u64::MAX)
    }

    fn operand(&self, value: Value, width: u8) -> Operand {
        let unwritten = self.bits(value.unwritten) & mask(width);
        match value.expr {
            None => Operand { unwritten, zero: !value.bits | unwritten, one: value.bits | unwritten },
            Some(_) => Operand { unwritten, zero: u64::MAX, one: u64::MAX },
        }
    }

    /// The bits of the result of an operation on two integers. The amount of a shift is known if it is concrete.
    pub(crate) fn binary(&mut self, op: BinOp, width: u8, x: Value, y: Value) -> UnwrittenBits {
        if !x.uninit() && !y.uninit() {
            return UnwrittenBits::NONE;
        }
        let (a, b) = (self.operand(x, width), self.operand(y, width));
        let either = a.unwritten | b.unwritten;
        let amount = y.as_concrete().filter(|_| b.unwritten == 0);
        let bits = match op {
            BinOp::And => a.unwritten & b.one | b.unwritten & a.one,
            BinOp::Or => a.unwritten & b.zero | b.unwritten & a.zero,
            BinOp::Xor => either,
            // A bit depends on all below it.
            BinOp::Add | BinOp::Sub | BinOp::Mul => upwards(either),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => match amount {
                Some(amount) => concrete::binary(op, width, a.unwritten, amount).unwrap_or(u64::MAX),
                None => u64::MAX,
            },
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => u64::MAX,
        };
        self.number(bits, width)
    }

    /// Whether a comparison depends on such bits: not if it has the same result whatever they are.
    pub(crate) fn compare(&self, op: CmpOp, width: u8, x: Value, y: Value) -> bool {
        if !x.uninit() && !y.uninit() {
            return false;
        }
        let (mut a, mut b) = (self.operand(x, width), self.operand(y, width));
        if matches!(op, CmpOp::Eq | CmpOp::Ne) {
            // They differ for certain if a bit does.
            let differ = !a.zero & !b.one | !a.one & !b.zero;
            return differ & mask(width) == 0;
        }
        if matches!(op, CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge) {
            // With the sign bits flipped, the order is that of unsigned numbers.
            let sign = 1 << (width - 1);
            (a, b) = (a.flipped(sign), b.flipped(sign));
        }
        let unsigned = match op {
            CmpOp::Slt => CmpOp::Ult,
            CmpOp::Sle => CmpOp::Ule,
            CmpOp::Sgt => CmpOp::Ugt,
            CmpOp::Sge => CmpOp::Uge,
            other => other,
        };
        let result = |x, y| concrete::compare(unsigned, width, x, y);
        let all = mask(width);
        result(!a.zero & all, b.one & all) != result(a.one & all, !b.zero & all)
    }

    /// The bits of the result of an operation on one integer.
    pub(crate) fn unary(&mut self, op: UnOp, width: u8, x: Value) -> UnwrittenBits {
        if !x.uninit() {
            return UnwrittenBits::NONE;
        }
        let bits = self.bits(x.unwritten) & mask(width);
        let bits = match op {
            UnOp::SwapBytes | UnOp::ReverseBits => concrete::unary(op, width, bits),
            UnOp::CountOnes | UnOp::LeadingZeros | UnOp::TrailingZeros => u64::MAX,
        };
        self.number(bits, width)
    }

    /// The bits of an integer that was made wider or narrower.
    pub(crate) fn cast(&mut self, op: CastOp, from: u8, to: u8, x: Value) -> UnwrittenBits {
        if !x.uninit() {
            return UnwrittenBits::NONE;
        }
        let bits = concrete::cast(op, from, to, self.bits(x.unwritten) & mask(from));
        self.number(bits, to)
    }
}

/// What may be in an operand's bits: which were never written, which may be 0 and which may be 1.
#[derive(Clone, Copy)]
struct Operand {
    unwritten: u64,
    zero: u64,
    one: u64,
}

impl Operand {
    /// With some bits inverted.
    fn flipped(self, bits: u64) -> Operand {
        let mixed = |from: u64, other: u64| from & !bits | other & bits;
        Operand { zero: mixed(self.zero, self.one), one: mixed(self.one, self.zero), ..self }
    }
}

/// The lowest bit and all above it.
fn upwards(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WIDTH: u8 = 6;

    fn binary_op() -> impl Strategy<Value = BinOp> {
        use BinOp::*;
        prop::sample::select(vec![Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr])
    }

    fn compare_op() -> impl Strategy<Value = CmpOp> {
        use CmpOp::*;
        prop::sample::select(vec![Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge])
    }

    /// All values of an operand whose unwritten bits may be anything.
    fn values(bits: u64, unwritten: u64) -> Vec<u64> {
        (0..=mask(WIDTH)).filter(|value| (value ^ bits) & !unwritten == 0).collect()
    }

    fn operand(sets: &mut UnwrittenSets, bits: u64, unwritten: u64) -> Value {
        // What was never written is read as zero.
        Value { unwritten: sets.number(unwritten, WIDTH), ..Value::concrete(bits & !unwritten) }
    }

    fn word() -> impl Strategy<Value = u64> {
        0..=mask(WIDTH)
    }

    proptest! {
        /// Bits that are not in the set are the same whatever was in memory; for `and`, `or`, `xor` and shifts by known
        /// amounts, those in the set are not.
        #[test]
        fn results_depend_on_these_bits(
            op in binary_op(), x in word(), y in word(), ux in word(), uy in word(), is_known in any::<bool>(),
        ) {
            let is_shift = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr);
            let uy = if is_known { 0 } else { uy };
            let y = if is_shift { y % u64::from(WIDTH) } else { y };
            let uy = if is_shift { uy & 3 } else { uy };
            let mut sets = UnwrittenSets::default();
            let (a, b) = (operand(&mut sets, x, ux), operand(&mut sets, y, uy));
            let found = sets.binary(op, WIDTH, a, b);
            let found = sets.bits(found) & mask(WIDTH);
            let results: Vec<u64> = values(x & !ux, ux)
                .into_iter()
                .flat_map(|x| values(y & !uy, uy).into_iter().map(move |y| (x, y)))
                .filter_map(|(x, y)| concrete::binary(op, WIDTH, x, y))
                .collect();
            let varying = results.iter().fold(0, |varying, result| varying | (result ^ results[0]));
            prop_assert_eq!(varying & !found, 0, "{:?} {:b} {:b}", op, varying, found);
            if matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) || is_shift && uy == 0 {
                prop_assert_eq!(varying, found);
            }
        }

        /// A comparison depends on such bits exactly if its result does.
        #[test]
        fn comparisons_depend_on_these_bits(
            op in compare_op(), x in word(), y in word(), ux in word(), uy in word(),
        ) {
            let mut sets = UnwrittenSets::default();
            let (a, b) = (operand(&mut sets, x, ux), operand(&mut sets, y, uy));
            let mut results = values(x & !ux, ux)
                .into_iter()
                .flat_map(|x| values(y & !uy, uy).into_iter().map(move |y| (x, y)))
                .map(|(x, y)| concrete::compare(op, WIDTH, x, y));
            let first = results.next();
            let varies = results.any(|result| Some(result) != first);
            prop_assert_eq!(sets.compare(op, WIDTH, a, b), varies);
        }

        /// A conversion moves the bits of the set like those of the value.
        #[test]
        fn conversions_depend_on_these_bits(
            op in prop::sample::select(vec![CastOp::ZExt, CastOp::SExt, CastOp::Trunc]), x in word(), ux in word(),
        ) {
            let to = if op == CastOp::Trunc { 4 } else { 9 };
            let mut sets = UnwrittenSets::default();
            let a = operand(&mut sets, x, ux);
            let found = sets.cast(op, WIDTH, to, a);
            let results: Vec<u64> =
                values(x & !ux, ux).into_iter().map(|x| concrete::cast(op, WIDTH, to, x)).collect();
            let varying = results.iter().fold(0, |varying, result| varying | (result ^ results[0]));
            prop_assert_eq!(varying, sets.bits(found) & mask(to));
        }
    }
}
