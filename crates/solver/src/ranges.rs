//! Interval analysis: the least and the greatest value of expressions, given those of the input bytes. A number read
//! from three digits, for example, is less than a thousand. Bounds are integers that a value is congruent to modulo two
//! to the power of its width, so sums, differences and products need not consider overflow.

use rustc_hash::FxHashMap;
use secateur_expr::{BinaryOp, Expr, Node, Pool, UnaryOp};

/// Bounds beyond this are dropped, so that computations with them do not overflow.
const LARGE: i128 = 1 << 120;

/// The value is in `low ..= high`, modulo two to the power of its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    low: i128,
    high: i128,
}

/// The ranges of conditions and of all their subexpressions.
pub(crate) struct Ranges {
    /// Operands come before their users.
    parts: Vec<Expr>,
    known: FxHashMap<Expr, Range>,
}

impl Ranges {
    /// For these conditions; `None` if they have more than `limit` subexpressions.
    pub(crate) fn new(pool: &Pool, conditions: &[Expr], limit: usize) -> Option<Ranges> {
        Some(Ranges { parts: pool.operands_first(conditions, limit)?, known: FxHashMap::default() })
    }

    /// How many subexpressions the conditions have in all.
    pub(crate) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Computes all ranges from the least and the greatest value of each byte.
    pub(crate) fn bound(&mut self, pool: &Pool, bounds: impl Fn(u32) -> (u8, u8)) {
        for &part in &self.parts {
            let range = self.of_node(pool, part, &bounds);
            self.known.insert(part, range);
        }
    }

    /// Whether a condition holds, if it is the same for all values within the bounds.
    pub(crate) fn truth(&self, condition: Expr) -> Option<bool> {
        self.known.get(&condition)?.single(1).map(|value| value == 1)
    }

    /// The range of an expression whose operands are known.
    fn of_node(&self, pool: &Pool, e: Expr, bounds: &impl Fn(u32) -> (u8, u8)) -> Range {
        let width = pool.width(e);
        if width > 64 {
            return Range::full(64);
        }
        let of = |operand: Expr| self.known[&operand];
        let narrow = |operand: Expr| pool.width(operand) <= 64;
        match pool.node(e) {
            Node::Const { value, .. } => Range::one(value as i128),
            Node::Input { first, bytes } => (0..u32::from(bytes)).fold(Range::one(0), |range, i| {
                let (low, high) = bounds(first + i);
                Range { low: range.low | i128::from(low) << (8 * i), high: range.high | i128::from(high) << (8 * i) }
            }),
            Node::Unary(UnaryOp::Neg, a) => Range { low: -of(a).high, high: -of(a).low }.reduced(width),
            Node::Unary(UnaryOp::Not, a) => Range { low: -1 - of(a).high, high: -1 - of(a).low }.reduced(width),
            Node::Binary(op, a, b) if narrow(a) => binary(op, pool.width(a), of(a), of(b)),
            Node::Ite(c, a, b) => match of(c).single(1) {
                Some(1) => of(a),
                Some(_) => of(b),
                None => of(a).union(of(b), width),
            },
            Node::Concat(high, low) => {
                let bits = pool.width(low);
                let (high, low) = (of(high).unsigned(width - bits), of(low).unsigned(bits));
                Range { low: high.low << bits | low.low, high: high.high << bits | low.high }
            }
            Node::Extract { e: whole, low, .. } if narrow(whole) => {
                let whole = of(whole).unsigned(pool.width(whole));
                Range { low: whole.low >> low, high: whole.high >> low }.reduced(width)
            }
            Node::ZExt(a, _) => of(a).unsigned(pool.width(a)),
            Node::SExt(a, _) => of(a).signed(pool.width(a)),
            _ => Range::full(width),
        }
    }
}

/// The range of `a op b`, both of this width.
fn binary(op: BinaryOp, width: u8, a: Range, b: Range) -> Range {
    let truth = |holds: Option<bool>| holds.map_or(Range::full(1), |holds| Range::one(holds.into()));
    let (ua, ub) = (a.unsigned(width), b.unsigned(width));
    match op {
        BinaryOp::Eq => truth(equal(width, a, b)),
        BinaryOp::Ult => truth(less(ua, ub)),
        BinaryOp::Ule => truth(less(ub, ua).map(|greater| !greater)),
        BinaryOp::Slt => truth(less(a.signed(width), b.signed(width))),
        BinaryOp::Sle => truth(less(b.signed(width), a.signed(width)).map(|greater| !greater)),
        BinaryOp::Add => Range { low: a.low + b.low, high: a.high + b.high }.reduced(width),
        BinaryOp::Sub => Range { low: a.low - b.high, high: a.high - b.low }.reduced(width),
        BinaryOp::Mul => product(a, b).map_or(Range::full(width), |range| range.reduced(width)),
        BinaryOp::And if width == 1 => Range { low: ua.low & ub.low, high: ua.high & ub.high },
        BinaryOp::Or if width == 1 => Range { low: ua.low | ub.low, high: ua.high | ub.high },
        BinaryOp::And => Range { low: 0, high: ua.high.min(ub.high) },
        BinaryOp::LShr | BinaryOp::UDiv | BinaryOp::URem => match ub.single(width) {
            Some(by) if op == BinaryOp::LShr && by < i128::from(width) => {
                Range { low: ua.low >> by, high: ua.high >> by }
            }
            Some(by) if op == BinaryOp::UDiv && by > 0 => Range { low: ua.low / by, high: ua.high / by },
            Some(by) if op == BinaryOp::URem && by > 0 && ua.high < by => ua,
            Some(by) if op == BinaryOp::URem && by > 0 => Range { low: 0, high: by - 1 },
            _ => Range::full(width),
        },
        _ => Range::full(width),
    }
}

/// The range of all products, if it does not overflow.
fn product(a: Range, b: Range) -> Option<Range> {
    let corners = [
        a.low.checked_mul(b.low)?,
        a.low.checked_mul(b.high)?,
        a.high.checked_mul(b.low)?,
        a.high.checked_mul(b.high)?,
    ];
    let range = Range { low: corners.into_iter().min()?, high: corners.into_iter().max()? };
    (range.low > -LARGE && range.high < LARGE).then_some(range)
}

fn less(a: Range, b: Range) -> Option<bool> {
    if a.high < b.low {
        Some(true)
    } else if a.low >= b.high {
        Some(false)
    } else {
        None
    }
}

fn equal(width: u8, a: Range, b: Range) -> Option<bool> {
    let disjoint = |a: Range, b: Range| a.high < b.low || b.high < a.low;
    if disjoint(a.unsigned(width), b.unsigned(width)) || disjoint(a.signed(width), b.signed(width)) {
        return Some(false);
    }
    // Two single values whose ranges are not disjoint are equal.
    (a.low == a.high && b.low == b.high).then_some(true)
}

impl Range {
    fn one(value: i128) -> Range {
        Range { low: value, high: value }
    }

    fn full(width: u8) -> Range {
        Range { low: 0, high: (1 << width) - 1 }
    }

    /// The only value, as an unsigned number.
    fn single(self, width: u8) -> Option<i128> {
        let range = self.unsigned(width);
        (range.low == range.high).then_some(range.low)
    }

    /// The same values as integers in `least .. least + 2^width`; the full range if they wrap around there.
    fn normalized(self, least: i128, width: u8) -> Range {
        let size: i128 = 1 << width;
        let low = ((self.low - least) & (size - 1)) + least;
        let high = low.saturating_add(self.high.saturating_sub(self.low));
        if high < least + size { Range { low, high } } else { Range { low: least, high: least + size - 1 } }
    }

    fn unsigned(self, width: u8) -> Range {
        self.normalized(0, width)
    }

    fn signed(self, width: u8) -> Range {
        self.normalized(-(1 << (width - 1)), width)
    }

    /// The same values near zero, so that no computation with them overflows.
    fn reduced(self, width: u8) -> Range {
        let size: i128 = 1 << width;
        if self.high.saturating_sub(self.low) >= size {
            return Range::full(width);
        }
        let low = ((self.low + size / 2) & (size - 1)) - size / 2;
        Range { low, high: low + (self.high - self.low) }
    }

    /// The convex hull of both, of signed or of unsigned values, whichever is smaller.
    fn union(self, other: Range, width: u8) -> Range {
        let hull = |a: Range, b: Range| Range { low: a.low.min(b.low), high: a.high.max(b.high) };
        let unsigned = hull(self.unsigned(width), other.unsigned(width));
        let signed = hull(self.signed(width), other.signed(width));
        if signed.high - signed.low < unsigned.high - unsigned.low { signed } else { unsigned }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_expr::{RuleSet, Valuation};

    /// For all bytes within the bounds, the value of every expression is in its range.
    #[test]
    fn ranges_contain_all_values() {
        const BOUNDS: [[(u8, u8); 2]; 4] =
            [[(0x30, 0x39), (0, 3)], [(0, 255), (7, 7)], [(250, 255), (120, 135)], [(1, 2), (0, 0)]];
        let mut pool = Pool::with_rules(RuleSet::none());
        let (x, y) = (pool.input(0, 1), pool.input(1, 1));
        let digit = pool.constant(8, 0x30);
        let base = pool.sub(x, digit);
        let mut terms = vec![x, y, base];
        for &(a, b) in &[(x, y), (base, y), (y, digit)] {
            for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor] {
                terms.push(pool.binary(op, a, b));
            }
            let three = pool.constant(8, 3);
            for op in [BinaryOp::LShr, BinaryOp::UDiv, BinaryOp::URem, BinaryOp::Shl, BinaryOp::AShr] {
                terms.push(pool.binary(op, a, three));
            }
        }
        let bytes = terms.len();
        for i in 0..bytes {
            let (a, b) = (terms[i], terms[(i * 7 + 3) % bytes]);
            let ten = pool.constant(16, 10);
            let (zero_extended, sign_extended) = (pool.zext(a, 16), pool.sext(b, 16));
            let tens = pool.mul(zero_extended, ten);
            let number = pool.add(tens, sign_extended);
            let c = pool.ult(a, b);
            let negated = pool.neg(number);
            terms.extend([
                pool.neg(a),
                pool.not(b),
                number,
                pool.ite(c, number, negated),
                pool.concat(a, b),
                pool.extract(number, 0, 8),
                pool.extract(number, 3, 9),
            ]);
        }
        let values = terms.len();
        for i in 0..values {
            let b = terms[(i * 5 + 1) % values];
            if pool.width(terms[i]) == pool.width(b) {
                for op in [BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle] {
                    let condition = pool.binary(op, terms[i], b);
                    let negated = pool.not(condition);
                    terms.extend([condition, negated]);
                }
            }
        }
        let mut decided = 0;
        for bounds in BOUNDS {
            let mut ranges = Ranges::new(&pool, &terms, usize::MAX).unwrap();
            ranges.bound(&pool, |byte| bounds[byte as usize]);
            let mut valuation = Valuation::new(vec![0, 0]);
            for &term in &terms {
                let width = pool.width(term);
                let truth = ranges.truth(term);
                decided += u32::from(width == 1 && truth.is_some());
                let range = ranges.known[&term];
                for value in 0..=u16::MAX {
                    let [first, second] = value.to_le_bytes();
                    let within = |value: u8, (low, high): (u8, u8)| (low..=high).contains(&value);
                    if !within(first, bounds[0]) || !within(second, bounds[1]) {
                        continue;
                    }
                    valuation.set_byte(0, first);
                    valuation.set_byte(1, second);
                    let result = valuation.eval(&pool, term) as i128;
                    let at_least_low = range.low + (result - range.low).rem_euclid(1 << width);
                    assert!(at_least_low <= range.high, "{} is {result}, not in {range:?}", pool.display(term));
                }
            }
        }
        assert!(decided > 100, "only {decided} conditions were decided");
    }
}
