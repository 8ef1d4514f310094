//! The structure of an expression: as it is stored, and as other crates see it.

use std::hash::{Hash, Hasher};

use crate::expr::{Array, Expr, Width};
use crate::native::NativeFn;
use crate::op::{BinaryOp, FloatCast, FloatCmp, FloatOp, FloatUnOp, Rounding, UnaryOp};

/// The structure of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Node {
    /// A constant; `value` is zero-extended.
    Const {
        width: Width,
        value: u128,
    },
    /// The little-endian word of `bytes` (1 to 16) consecutive input bytes from `first`.
    Input {
        first: u32,
        bytes: u8,
    },
    /// A placeholder, to be filled by [`Pool::substitute`](crate::Pool::substitute).
    Hole {
        id: u32,
        width: Width,
    },
    Unary(UnaryOp, Expr),
    Binary(BinaryOp, Expr, Expr),
    /// `if .0 { .1 } else { .2 }`
    Ite(Expr, Expr, Expr),
    /// `.0` holds the high bits, `.1` the low.
    Concat(Expr, Expr),
    /// Bits `low .. low + width` of `e`.
    Extract {
        e: Expr,
        low: u8,
        width: Width,
    },
    /// Zero-extended to a greater width.
    ZExt(Expr, Width),
    /// Sign-extended to a greater width.
    SExt(Expr, Width),
    /// The mode of a float operation is `Nearest` if its result does not depend on the mode.
    Float(FloatOp, Rounding, Expr, Expr),
    FloatUn(FloatUnOp, Rounding, Expr),
    FloatCmp(FloatCmp, Expr, Expr),
    /// Converted to a value of the given width.
    FloatCast(FloatCast, Rounding, Expr, Width),
    /// `.0 * .1 + .2`, rounded once.
    FusedMulAdd(Rounding, Expr, Expr, Expr),
    /// The element at a 64-bit index; 0 if the index is out of range.
    Select {
        array: Array,
        index: Expr,
    },
    /// The result of a function of the C library, opaque to solvers.
    Native {
        function: NativeFn,
        args: NativeArgs,
    },
}

/// The arguments of a native function, as a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NativeArgs {
    args: [Expr; 2],
    two: bool,
}

impl NativeArgs {
    pub(crate) fn new(args: &[Expr]) -> NativeArgs {
        match *args {
            [a] => NativeArgs { args: [a, a], two: false },
            [a, b] => NativeArgs { args: [a, b], two: true },
            _ => panic!("a native function has one or two arguments, not {}", args.len()),
        }
    }
}

impl std::ops::Deref for NativeArgs {
    type Target = [Expr];

    fn deref(&self) -> &[Expr] {
        if self.two { &self.args } else { &self.args[..1] }
    }
}

/// An expression as it is stored: 16 bytes. Constants of more than 64 bits live in a table of the pool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored {
    Const { width: Width, value: u64 },
    WideConst { width: Width, index: u32 },
    Input { first: u32, bytes: u8 },
    Hole { id: u32, width: Width },
    Unary { op: UnaryOp, a: Expr },
    Binary { op: BinaryOp, a: Expr, b: Expr },
    Ite { c: Expr, a: Expr, b: Expr },
    Concat { hi: Expr, lo: Expr },
    Extract { low: u8, width: Width, e: Expr },
    ZExt { width: Width, e: Expr },
    SExt { width: Width, e: Expr },
    Float { op: FloatOp, mode: Rounding, a: Expr, b: Expr },
    FloatUn { op: FloatUnOp, mode: Rounding, a: Expr },
    FloatCmp { cmp: FloatCmp, a: Expr, b: Expr },
    FloatCast { op: FloatCast, mode: Rounding, width: Width, e: Expr },
    FusedMulAdd { mode: Rounding, a: Expr, b: Expr, c: Expr },
    Select { array: Array, index: Expr },
    Native { function: NativeFn, args: NativeArgs },
}

const _: () = assert!(size_of::<Stored>() == 16);

/// A stored expression as words, which are faster to hash and compare. Different expressions have different keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key([u32; 4]);

impl Key {
    /// The shard of the key. It must not be derived from the hash, all of whose bits the map of a shard uses.
    #[inline]
    pub(crate) fn shard(&self, shards: usize) -> usize {
        debug_assert!(shards.is_power_of_two());
        let [_, b, c, d] = self.0;
        let mixed = (b ^ c.rotate_left(11) ^ d.rotate_left(22)).wrapping_mul(0x9e37_79b9);
        (mixed >> 24) as usize & (shards - 1)
    }
}

impl Hash for Key {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c, d] = self.0.map(u64::from);
        state.write_u64(a << 32 | b);
        state.write_u64(c << 32 | d);
    }
}

impl Stored {
    /// The key of this expression.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        /// The first word: the kind of the node in its low byte, and two small numbers above it.
        fn head(kind: u8, x: u8, y: u8) -> u32 {
            u32::from_le_bytes([kind, x, y, 0])
        }
        Key(match *self {
            Stored::Const { width, value } => [head(0, width, 0), value as u32, (value >> 32) as u32, 0],
            Stored::WideConst { width, index } => [head(1, width, 0), index, 0, 0],
            Stored::Input { first, bytes } => [head(2, bytes, 0), first, 0, 0],
            Stored::Hole { id, width } => [head(3, width, 0), id, 0, 0],
            Stored::Unary { op, a } => [head(4, op as u8, 0), a.index(), 0, 0],
            Stored::Binary { op, a, b } => [head(5, op as u8, 0), a.index(), b.index(), 0],
            Stored::Ite { c, a, b } => [head(6, 0, 0), c.index(), a.index(), b.index()],
            Stored::Concat { hi, lo } => [head(7, 0, 0), hi.index(), lo.index(), 0],
            Stored::Extract { low, width, e } => [head(8, low, width), e.index(), 0, 0],
            Stored::ZExt { width, e } => [head(9, width, 0), e.index(), 0, 0],
            Stored::SExt { width, e } => [head(10, width, 0), e.index(), 0, 0],
            Stored::Float { op, mode, a, b } => [head(11, op as u8, mode as u8), a.index(), b.index(), 0],
            Stored::FloatUn { op, mode, a } => [head(12, op as u8, mode as u8), a.index(), 0, 0],
            Stored::FloatCmp { cmp, a, b } => {
                let outcomes = [cmp.less, cmp.equal, cmp.greater, cmp.unordered];
                let outcomes = outcomes.into_iter().fold(0, |bits, holds| bits << 1 | u8::from(holds));
                [head(13, outcomes, 0), a.index(), b.index(), 0]
            }
            Stored::FloatCast { op, mode, width, e } => [head(14, op as u8, width), e.index(), mode as u32, 0],
            Stored::FusedMulAdd { mode, a, b, c } => [head(15, mode as u8, 0), a.index(), b.index(), c.index()],
            Stored::Select { array, index } => [head(16, 0, 0), array.index(), index.index(), 0],
            Stored::Native { function, args } => {
                [head(17, function as u8, args.len() as u8), args[0].index(), args[args.len() - 1].index(), 0]
            }
        })
    }

    /// Calls `visit` for each operand; the array of a `Select` is not one.
    #[inline]
    pub(crate) fn for_each_operand(&self, mut visit: impl FnMut(Expr)) {
        match *self {
            Stored::Const { .. } | Stored::WideConst { .. } | Stored::Input { .. } | Stored::Hole { .. } => {}
            Stored::Unary { a: e, .. }
            | Stored::Extract { e, .. }
            | Stored::ZExt { e, .. }
            | Stored::SExt { e, .. }
            | Stored::FloatUn { a: e, .. }
            | Stored::FloatCast { e, .. }
            | Stored::Select { index: e, .. } => visit(e),
            Stored::Binary { a, b, .. }
            | Stored::Concat { hi: a, lo: b }
            | Stored::Float { a, b, .. }
            | Stored::FloatCmp { a, b, .. } => {
                visit(a);
                visit(b);
            }
            Stored::Ite { c: a, a: b, b: c } | Stored::FusedMulAdd { a, b, c, .. } => {
                visit(a);
                visit(b);
                visit(c);
            }
            Stored::Native { args, .. } => args.iter().copied().for_each(visit),
        }
    }
}
