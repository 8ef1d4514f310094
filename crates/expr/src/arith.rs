//! Evaluation of the integer operations, on values of up to 64 and of up to 128 bits.
//!
//! Values are zero-extended. Both versions expand from one macro, so they cannot differ.

/// Defines the operations on one pair of machine types.
macro_rules! arithmetic {
    ($(#[$doc:meta])* $name:ident, $unsigned:ty, $signed:ty) => {
        $(#[$doc])*
        pub(crate) mod $name {
            use crate::expr::Width;
            use crate::op::{BinaryOp, UnaryOp};

            const BITS: u32 = <$unsigned>::BITS;

            /// The greatest value of a width.
            #[inline(always)]
            pub(crate) fn mask(width: Width) -> $unsigned {
                <$unsigned>::MAX >> (BITS - u32::from(width))
            }

            /// The value of the bits in two's complement.
            #[inline(always)]
            pub(crate) fn signed(width: Width, value: $unsigned) -> $signed {
                let unused = BITS - u32::from(width);
                ((value << unused) as $signed) >> unused
            }

            /// `op a`
            #[inline(always)]
            pub(crate) fn unary(op: UnaryOp, width: Width, a: $unsigned) -> $unsigned {
                match op {
                    UnaryOp::Not => !a & mask(width),
                    UnaryOp::Neg => a.wrapping_neg() & mask(width),
                }
            }

            /// `a op b`; `width` is that of the operands.
            #[inline(always)]
            pub(crate) fn binary(op: BinaryOp, width: Width, a: $unsigned, b: $unsigned) -> $unsigned {
                let mask = mask(width);
                let (sa, sb) = (signed(width, a), signed(width, b));
                let shift_fits = b < <$unsigned>::from(width);
                match op {
                    BinaryOp::Add => a.wrapping_add(b) & mask,
                    BinaryOp::Sub => a.wrapping_sub(b) & mask,
                    BinaryOp::Mul => a.wrapping_mul(b) & mask,
                    BinaryOp::UDiv => a.checked_div(b).unwrap_or(mask),
                    BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
                    BinaryOp::SDiv if b == 0 => if sa < 0 { 1 } else { mask },
                    BinaryOp::SDiv => sa.wrapping_div(sb) as $unsigned & mask,
                    BinaryOp::SRem if b == 0 => a,
                    BinaryOp::SRem => sa.wrapping_rem(sb) as $unsigned & mask,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Shl => if shift_fits { (a << b) & mask } else { 0 },
                    BinaryOp::LShr => if shift_fits { a >> b } else { 0 },
                    BinaryOp::AShr => (sa >> if shift_fits { b as u32 } else { BITS - 1 }) as $unsigned & mask,
                    BinaryOp::Eq => (a == b).into(),
                    BinaryOp::Ult => (a < b).into(),
                    BinaryOp::Ule => (a <= b).into(),
                    BinaryOp::Slt => (sa < sb).into(),
                    BinaryOp::Sle => (sa <= sb).into(),
                }
            }
        }
    };
}

arithmetic!(
    /// Values of up to 64 bits.
    narrow,
    u64,
    i64
);
arithmetic!(
    /// Values of up to 128 bits.
    wide,
    u128,
    i128
);
