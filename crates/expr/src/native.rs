//! Functions of the C library that are opaque to solvers and evaluated by calling them: mathematical functions, and how
//! `printf` formats a number.

use crate::expr::Width;
use crate::printed;

/// Declares the functions once: the enum, the names, the calls.
macro_rules! functions {
    (unary { $($one:ident $one64:ident $one32:ident),* $(,)? } binary { $($two:ident $two64:ident $two32:ident),* $(,)? }) => {
        /// A mathematical function, on `double`s or `float`s according to the width of its arguments; or
        /// [`NativeFn::Printed`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)]
        pub enum NativeFn {
            $($one,)*
            $($two,)*
            /// How `printf` formats a `double`: the second argument is a [request](crate::NumberFormat::request) for
            /// the length of the text or for one of its bytes.
            Printed,
        }

        // These functions of the C library take and return plain numbers and keep no state that is read here. Their
        // names for `_Float64` and `_Float32` are those of glibc alone: the linker finds `cbrt` in Rust's own library
        // first, which rounds differently.
        unsafe extern "C" {
            $(#[link_name = concat!(stringify!($one64), "f64")] safe fn $one64(x: f64) -> f64;
              #[link_name = concat!(stringify!($one64), "f32")] safe fn $one32(x: f32) -> f32;)*
            $(#[link_name = concat!(stringify!($two64), "f64")] safe fn $two64(x: f64, y: f64) -> f64;
              #[link_name = concat!(stringify!($two64), "f32")] safe fn $two32(x: f32, y: f32) -> f32;)*
        }

        impl NativeFn {
            /// All mathematical functions.
            pub const ALL: &'static [NativeFn] = &[$(NativeFn::$one,)* $(NativeFn::$two,)*];

            /// The C name of the version for a width of 32 or 64.
            pub fn name(self, width: Width) -> &'static str {
                match self {
                    $(NativeFn::$one => if width == 32 { stringify!($one32) } else { stringify!($one64) },)*
                    $(NativeFn::$two => if width == 32 { stringify!($two32) } else { stringify!($two64) },)*
                    NativeFn::Printed => "printf",
                }
            }

            /// The name under which the C library of explored programs calls it. The function of the plain name is in
            /// that library, since it sets `errno`, too.
            pub fn internal_name(self, width: Width) -> &'static str {
                match self {
                    $(NativeFn::$one if width == 32 => concat!("__secateur_", stringify!($one32)),)*
                    $(NativeFn::$one => concat!("__secateur_", stringify!($one64)),)*
                    $(NativeFn::$two if width == 32 => concat!("__secateur_", stringify!($two32)),)*
                    $(NativeFn::$two => concat!("__secateur_", stringify!($two64)),)*
                    NativeFn::Printed => "__secateur_printf",
                }
            }

            /// How many arguments it takes: one or two.
            pub fn arity(self) -> usize {
                match self {
                    $(NativeFn::$one => 1,)*
                    $(NativeFn::$two => 2,)*
                    NativeFn::Printed => 2,
                }
            }

            /// Calls the function on the bits of its arguments, as many as its [`arity`](Self::arity).
            pub fn call(self, width: Width, args: &[u64]) -> u64 {
                assert_eq!(args.len(), self.arity(), "arguments of {}", self.name(width));
                if self == NativeFn::Printed {
                    printed::answer(f64::from_bits(args[0]), args[1])
                } else if width == 32 {
                    let arg = |i: usize| f32::from_bits(args[i] as u32);
                    let result = match self {
                        $(NativeFn::$one => $one32(arg(0)),)*
                        $(NativeFn::$two => $two32(arg(0), arg(1)),)*
                        NativeFn::Printed => unreachable!("it is not a mathematical function"),
                    };
                    u64::from(result.to_bits())
                } else {
                    let arg = |i: usize| f64::from_bits(args[i]);
                    let result = match self {
                        $(NativeFn::$one => $one64(arg(0)),)*
                        $(NativeFn::$two => $two64(arg(0), arg(1)),)*
                        NativeFn::Printed => unreachable!("it is not a mathematical function"),
                    };
                    result.to_bits()
                }
            }
        }
    };
}

functions! {
    unary {
        Sin sin sinf, Cos cos cosf, Tan tan tanf, Asin asin asinf, Acos acos acosf, Atan atan atanf,
        Sinh sinh sinhf, Cosh cosh coshf, Tanh tanh tanhf, Asinh asinh asinhf, Acosh acosh acoshf, Atanh atanh atanhf,
        Exp exp expf, Exp2 exp2 exp2f, Exp10 exp10 exp10f, Expm1 expm1 expm1f,
        Log log logf, Log2 log2 log2f, Log10 log10 log10f, Log1p log1p log1pf,
        Cbrt cbrt cbrtf, Erf erf erff, Erfc erfc erfcf, Tgamma tgamma tgammaf, Lgamma lgamma lgammaf,
        J0 j0 j0f, J1 j1 j1f, Y0 y0 y0f, Y1 y1 y1f,
    }
    binary { Pow pow powf, Atan2 atan2 atan2f, Hypot hypot hypotf }
}

impl NativeFn {
    /// The function of this C name and the width of its arguments and result.
    pub fn from_name(name: &str) -> Option<(NativeFn, Width)> {
        NativeFn::of_widths().find(|&(function, width)| function.name(width) == name)
    }

    /// The same by its [internal name](Self::internal_name).
    pub fn from_internal_name(name: &str) -> Option<(NativeFn, Width)> {
        NativeFn::of_widths().find(|&(function, width)| function.internal_name(width) == name)
    }

    fn of_widths() -> impl Iterator<Item = (NativeFn, Width)> {
        NativeFn::ALL.iter().flat_map(|&function| [(function, 32), (function, 64)])
    }
}
