//! Operations on single bits or bytes, composed of other operations.

use crate::expr::Expr;
use crate::pool::Pool;

impl Pool {
    /// How many bits are set.
    pub fn count_ones(&mut self, e: Expr) -> Expr {
        let width = self.width(e);
        // A tree of narrow additions, which is easier for solvers than a chain of wide ones.
        let mut counts: Vec<Expr> = (0..width).map(|bit| self.extract(e, bit, 1)).collect();
        while counts.len() > 1 {
            counts = counts
                .chunks(2)
                .map(|pair| {
                    let wider = self.width(pair[0]) + 1;
                    let first = self.zext(pair[0], wider);
                    match pair.get(1) {
                        Some(&second) => {
                            let second = self.zext(second, wider);
                            self.add(first, second)
                        }
                        None => first,
                    }
                })
                .collect();
        }
        self.resize(counts[0], width)
    }

    /// How many zero bits precede the highest set bit; the width for 0.
    pub fn leading_zeros(&mut self, e: Expr) -> Expr {
        let width = self.width(e);
        self.first_set(e, (0..width).map(|bit| (bit, width - 1 - bit)))
    }

    /// How many zero bits follow the lowest set bit; the width for 0.
    pub fn trailing_zeros(&mut self, e: Expr) -> Expr {
        let width = self.width(e);
        self.first_set(e, (0..width).rev().map(|bit| (bit, bit)))
    }

    /// The bytes in reverse order; the width must be a multiple of 8.
    pub fn swap_bytes(&mut self, e: Expr) -> Expr {
        let width = self.width(e);
        assert!(width.is_multiple_of(8), "bytes of a value of {width} bits");
        self.reversed(e, 8)
    }

    /// The bits in reverse order.
    pub fn reverse_bits(&mut self, e: Expr) -> Expr {
        self.reversed(e, 1)
    }

    /// The value that goes with the last of these bits that is set; the width if none is.
    fn first_set(&mut self, e: Expr, bits: impl Iterator<Item = (u8, u8)>) -> Expr {
        let width = self.width(e);
        let mut result = self.constant(width, width.into());
        for (bit, value) in bits {
            let set = self.extract(e, bit, 1);
            let value = self.constant(width, value.into());
            result = self.ite(set, value, result);
        }
        result
    }

    fn reversed(&mut self, e: Expr, part: u8) -> Expr {
        let width = self.width(e);
        let mut result = self.extract(e, 0, part);
        for low in (part..width).step_by(part.into()) {
            let next = self.extract(e, low, part);
            result = self.concat(result, next);
        }
        result
    }

    /// Zero-extended or truncated.
    fn resize(&mut self, e: Expr, width: u8) -> Expr {
        if self.width(e) < width { self.zext(e, width) } else { self.extract(e, 0, width) }
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Valuation;
    use crate::pool::Pool;

    #[test]
    fn results_agree_with_the_processor() {
        let mut pool = Pool::new();
        let e = pool.input(0, 4);
        let built = [
            pool.count_ones(e),
            pool.leading_zeros(e),
            pool.trailing_zeros(e),
            pool.swap_bytes(e),
            pool.reverse_bits(e),
        ];
        for value in [0u32, 1, 2, 0x80, 0xff00, 0x1234_5678, 0x8000_0000, u32::MAX] {
            let mut valuation = Valuation::new(value.to_le_bytes().to_vec());
            let expected = [
                value.count_ones(),
                value.leading_zeros(),
                value.trailing_zeros(),
                value.swap_bytes(),
                value.reverse_bits(),
            ];
            let got = built.map(|e| valuation.eval(&pool, e) as u32);
            assert_eq!(got, expected, "{value:#x}");
        }
    }

    #[test]
    fn small_widths_wrap() {
        let mut pool = Pool::new();
        let byte = pool.input(0, 1);
        let bit = pool.extract(byte, 0, 1);
        let (ones, zeros) = (pool.count_ones(bit), pool.leading_zeros(bit));
        assert_eq!(ones, bit);
        let mut valuation = Valuation::new(vec![0]);
        assert_eq!(valuation.eval(&pool, zeros), 1);
    }
}
