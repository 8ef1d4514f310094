//! What an expression looks like inside: the form that is stored, and the one that is shown.

use crate::expr::{Array, Expr, Width};
use crate::native::NativeFn;
use crate::op::{BinaryOp, FloatCast, FloatCmp, FloatOp, FloatUnOp, UnaryOp};

/// An expression, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Node {
    /// A literal; `value` is zero-extended.
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
    Float(FloatOp, Expr, Expr),
    FloatUn(FloatUnOp, Expr),
    FloatCmp(FloatCmp, Expr, Expr),
    /// Converted to a value of the given width.
    FloatCast(FloatCast, Expr, Width),
    /// `.0 * .1 + .2`, rounded once.
    FusedMulAdd(Expr, Expr, Expr),
    /// The element at a 64-bit index; 0 if the index is not below the length.
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

/// The arguments of a native function; read it as a slice.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    Float { op: FloatOp, a: Expr, b: Expr },
    FloatUn { op: FloatUnOp, a: Expr },
    FloatCmp { cmp: FloatCmp, a: Expr, b: Expr },
    FloatCast { op: FloatCast, width: Width, e: Expr },
    FusedMulAdd { a: Expr, b: Expr, c: Expr },
    Select { array: Array, index: Expr },
    Native { function: NativeFn, args: NativeArgs },
}

const _: () = assert!(size_of::<Stored>() == 16);

impl Stored {
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
            Stored::Ite { c: a, a: b, b: c } | Stored::FusedMulAdd { a, b, c } => {
                visit(a);
                visit(b);
                visit(c);
            }
            Stored::Native { args, .. } => args.iter().copied().for_each(visit),
        }
    }
}
