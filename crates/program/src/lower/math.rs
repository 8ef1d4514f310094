//! Lowers intrinsics on floating-point values.

use super::cast::float_slots;
use super::emit::int_slots;
use super::function::Builder;
use super::inst::{Format, int_width};
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::{Type, Value};

pub(super) const LESS: FloatCmp = FloatCmp { less: true, equal: false, greater: false, unordered: false };
pub(super) const EQUAL: FloatCmp = FloatCmp { less: false, equal: true, greater: false, unordered: false };
const GREATER_OR_EQUAL: FloatCmp = FloatCmp { less: false, equal: true, greater: true, unordered: false };
const UNORDERED: FloatCmp = FloatCmp { less: false, equal: false, greater: false, unordered: true };

/// Intrinsics of one value that are functions of the C library.
const CALLED: [&str; 15] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log", "log2", "log10",
];

impl<'m> Builder<'_, 'm> {
    /// Lowers the intrinsic if it is one of these; `false` if not.
    pub(super) fn math_intrinsic(&mut self, inst: Value<'m>, first: &str, second: &str) -> Lowered<bool> {
        if let Some(op) = unary(first) {
            self.each_float(inst, |this, format, a| Ok(this.float_un(op, format, a)))?;
            return Ok(true);
        }
        match (first, second) {
            ("copysign", _) => {
                self.each_float_pair(inst, |this, f, a, b| Ok(this.float_bin(FloatOp::CopySign, f, a, b)))?
            }
            ("minnum", _) => self.each_float_pair(inst, |this, f, a, b| Ok(this.float_bin(FloatOp::Min, f, a, b)))?,
            ("maxnum", _) => self.each_float_pair(inst, |this, f, a, b| Ok(this.float_bin(FloatOp::Max, f, a, b)))?,
            ("minimum", _) => self.each_float_pair(inst, |this, f, a, b| this.ieee_extreme(true, f, a, b))?,
            ("maximum", _) => self.each_float_pair(inst, |this, f, a, b| this.ieee_extreme(false, f, a, b))?,
            ("fma", _) => self.multiply_add(inst, true)?,
            ("fmuladd", _) => self.multiply_add(inst, false)?,
            ("lrint" | "llrint", _) => self.round_to_int(inst, FloatUnOp::Rint)?,
            ("lround" | "llround", _) => self.round_to_int(inst, FloatUnOp::Round)?,
            ("fptosi", "sat") => self.saturating_cast(inst, true)?,
            ("fptoui", "sat") => self.saturating_cast(inst, false)?,
            ("is", "fpclass") => self.class_test(inst)?,
            ("powi", _) => {
                let format = Format::of(inst.ty())?;
                self.call_with_int(inst, power_function(format), format)?;
            }
            ("ldexp", _) => {
                let format = Format::of(inst.ty())?;
                self.call_with_int(inst, &library_name("ldexp", format), format)?;
            }
            ("frexp", _) => self.frexp(inst)?,
            (name, _) if CALLED.contains(&name) => self.each_float(inst, |this, format, a| {
                let slots = float_slots(format);
                Ok(this.call_named(&library_name(first, format), &[(a, slots)], slots))
            })?,
            ("pow", _) => self.each_float_pair(inst, |this, format, a, b| {
                let slots = float_slots(format);
                Ok(this.call_named(&library_name("pow", format), &[(a, slots), (b, slots)], slots))
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Arithmetic under `#pragma STDC FENV_ACCESS`: the machine always respects the rounding mode, and flags are not
    /// modelled.
    pub(super) fn constrained(&mut self, inst: Value<'m>, operation: &str) -> Lowered<()> {
        if let Some(op) = unary(operation) {
            return self.each_float(inst, |this, format, a| Ok(this.float_un(op, format, a)));
        }
        let pair = match operation {
            "fadd" => Some(FloatOp::Add),
            "fsub" => Some(FloatOp::Sub),
            "fmul" => Some(FloatOp::Mul),
            "fdiv" => Some(FloatOp::Div),
            "frem" => Some(FloatOp::Rem),
            "minnum" => Some(FloatOp::Min),
            "maxnum" => Some(FloatOp::Max),
            _ => None,
        };
        if let Some(op) = pair {
            return self.each_float_pair(inst, |this, format, a, b| Ok(this.float_bin(op, format, a, b)));
        }
        match operation {
            "fma" => self.multiply_add(inst, true),
            "fmuladd" => self.multiply_add(inst, false),
            "fptosi" => self.float_to_int(inst, true),
            "fptoui" => self.float_to_int(inst, false),
            "sitofp" => self.int_to_float(inst, true),
            "uitofp" => self.int_to_float(inst, false),
            "fptrunc" | "fpext" => self.format_cast(inst),
            "fcmp" | "fcmps" => {
                let name = inst.operand(2).metadata_text().unwrap_or_default();
                let cmp = constrained_predicate(&name)
                    .ok_or_else(|| Unsupported::new(format!("constrained comparison `{name}`")))?;
                let format = Format::of(inst.operand(0).ty().lanes().0)?;
                let a = self.operand(inst.operand(0))?;
                let b = self.operand(inst.operand(1))?;
                let size = format.slots();
                self.map_lanes(inst, |this, lane| {
                    Ok(this.float_cmp(cmp, format, a.offset(lane * size), b.offset(lane * size)))
                })
            }
            _ => Err(Unsupported::new(format!("constrained `{operation}`"))),
        }
    }

    /// One step of `llvm.vector.reduce.f…`.
    pub(super) fn float_reduction(
        &mut self,
        operation: &str,
        element: Type<'m>,
        a: Operand,
        b: Operand,
    ) -> Lowered<Operand> {
        let format = Format::of(element)?;
        match operation {
            "fadd" => Ok(self.float_bin(FloatOp::Add, format, a, b)),
            "fmul" => Ok(self.float_bin(FloatOp::Mul, format, a, b)),
            "fmax" => Ok(self.float_bin(FloatOp::Max, format, a, b)),
            "fmin" => Ok(self.float_bin(FloatOp::Min, format, a, b)),
            "fmaximum" => self.ieee_extreme(false, format, a, b),
            "fminimum" => self.ieee_extreme(true, format, a, b),
            _ => Err(Unsupported::new(format!("reduction `{operation}`"))),
        }
    }

    fn each_float(
        &mut self,
        inst: Value<'m>,
        mut each: impl FnMut(&mut Self, Format, Operand) -> Lowered<Operand>,
    ) -> Lowered<()> {
        let format = Format::of(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| each(this, format, a.offset(lane * format.slots())))
    }

    fn each_float_pair(
        &mut self,
        inst: Value<'m>,
        mut each: impl FnMut(&mut Self, Format, Operand, Operand) -> Lowered<Operand>,
    ) -> Lowered<()> {
        let format = Format::of(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = format.slots();
        self.map_lanes(inst, |this, lane| each(this, format, a.offset(lane * size), b.offset(lane * size)))
    }

    fn multiply_add(&mut self, inst: Value<'m>, fused: bool) -> Lowered<()> {
        let format = Format::of(inst.ty().lanes().0)?;
        let size = format.slots();
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let c = self.operand(inst.operand(2))?;
        self.map_lanes(inst, |this, lane| {
            let (a, b, c) = (a.offset(lane * size), b.offset(lane * size), c.offset(lane * size));
            match format {
                Format::Float(width) if fused => {
                    let dst = this.fresh(1);
                    this.emit(Inst::FusedMulAdd { width, dst, a, b, c });
                    Ok(Operand::slot(dst))
                }
                Format::Long if fused => {
                    let slots = float_slots(format);
                    Ok(this.call_named("fmal", &[(a, slots), (b, slots), (c, slots)], slots))
                }
                // `fmuladd` may round twice, and does so on x86-64 without the FMA extension.
                _ => {
                    let product = this.float_bin(FloatOp::Mul, format, a, b);
                    Ok(this.float_bin(FloatOp::Add, format, product, c))
                }
            }
        })
    }

    fn round_to_int(&mut self, inst: Value<'m>, op: FloatUnOp) -> Lowered<()> {
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let width = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| {
            let rounded = this.float_un(op, format, a.offset(lane * format.slots()));
            this.float_to_int_value(format, width, true, rounded)
        })
    }

    /// IEEE 754-2019 `minimum` and `maximum`: NaN if either operand is NaN, and -0 is less than +0.
    fn ieee_extreme(&mut self, least: bool, format: Format, a: Operand, b: Operand) -> Lowered<Operand> {
        let Format::Float(width) = format else {
            return Err(Unsupported::new("IEEE minimum or maximum of `long double`s"));
        };
        let bits = u32::from(width);
        let unordered = self.float_cmp(UNORDERED, format, a, b);
        let equal = self.float_cmp(EQUAL, format, a, b);
        let less = self.float_cmp(LESS, format, a, b);
        // Equal values differ at most in the sign of zero.
        let tie = self.bin(if least { BinOp::Or } else { BinOp::And }, bits, a, b);
        let nan = self.float_bin(FloatOp::Add, format, a, b);
        let (first, second) = if least { (a, b) } else { (b, a) };
        let value = self.select(bits, less, first, second);
        let value = self.select(bits, equal, tie, value);
        Ok(self.select(bits, unordered, nan, value))
    }

    /// Conversion to an integer that saturates, and is 0 for NaN.
    fn saturating_cast(&mut self, inst: Value<'m>, signed: bool) -> Lowered<()> {
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let width = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let Format::Float(bits) = format else {
            return Err(Unsupported::new("saturating conversion of a `long double`"));
        };
        if width > 64 {
            return Err(Unsupported::new("saturating conversion to more than 64 bits"));
        }
        self.map_lanes(inst, |this, lane| {
            let a = a.offset(lane);
            let (least, greatest, limit) = if signed {
                (1u128 << (width - 1), (1u128 << (width - 1)) - 1, width - 1)
            } else {
                (0, u128::MAX, width)
            };
            let above = this.constant(power_of_two(bits, limit, false));
            let below = this.constant(if signed { power_of_two(bits, limit, true) } else { 0 });
            let too_high = this.float_cmp(GREATER_OR_EQUAL, format, a, above);
            let too_low = this.float_cmp(LESS, format, a, below);
            let unordered = this.float_cmp(UNORDERED, format, a, a);
            let value = this.float_to_int_value(format, width, signed, a)?;
            let (least, greatest, zero) = (this.int(width, least), this.int(width, greatest), this.int(width, 0));
            let value = this.select(width, too_high, greatest, value);
            let value = this.select(width, too_low, least, value);
            Ok(this.select(width, unordered, zero, value))
        })
    }

    /// `llvm.is.fpclass`: whether a value is in one of the classes of a mask.
    fn class_test(&mut self, inst: Value<'m>) -> Lowered<()> {
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let mask = inst.operand(1).int_bits().unwrap_or(0) as u32;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| Ok(this.is_class(format, mask, a.offset(lane * format.slots()))))
    }

    fn is_class(&mut self, format: Format, mask: u32, a: Operand) -> Operand {
        // The exponent and the fraction as integers; a `long double` has them in a slot each, with an explicit leading
        // bit.
        let (negative, exponent, exponent_width, fraction, fraction_width, infinite, quiet);
        match format {
            Format::Float(width) => {
                let bits = u32::from(width);
                let (exponent_bits, fraction_bits) = if width == 32 { (8, 23) } else { (11, 52) };
                let zero = self.int(bits, 0);
                negative = self.cmp(CmpOp::Slt, bits, a, zero);
                let shift = self.int(bits, u128::from(fraction_bits as u32));
                let shifted = self.bin(BinOp::LShr, bits, a, shift);
                exponent_width = exponent_bits;
                exponent = self.cast(CastOp::Trunc, bits, exponent_bits, shifted);
                fraction_width = fraction_bits as u32;
                fraction = self.cast(CastOp::Trunc, bits, fraction_width, a);
                infinite = 0;
                quiet = 1u128 << (fraction_bits - 1);
            }
            Format::Long => {
                let zero = self.int(16, 0);
                negative = self.cmp(CmpOp::Slt, 16, a.offset(1), zero);
                exponent_width = 15;
                exponent = self.cast(CastOp::Trunc, 16, 15, a.offset(1));
                fraction_width = 64;
                fraction = a;
                infinite = 1u128 << 63;
                quiet = 1u128 << 62;
            }
        }
        let positive = self.not(1, negative);
        let ones = self.int(exponent_width, u128::MAX);
        let zero = self.int(exponent_width, 0);
        let special = self.cmp(CmpOp::Eq, exponent_width, exponent, ones);
        let tiny = self.cmp(CmpOp::Eq, exponent_width, exponent, zero);
        let either = self.bin(BinOp::Or, 1, special, tiny);
        let normal = self.not(1, either);
        let empty = self.int(fraction_width, 0);
        let infinity = self.int(fraction_width, infinite);
        let is_empty = self.cmp(CmpOp::Eq, fraction_width, fraction, empty);
        let is_infinite = self.cmp(CmpOp::Eq, fraction_width, fraction, infinity);
        let not_infinite = self.not(1, is_infinite);
        let nonempty = self.not(1, is_empty);
        let quiet_bit = self.int(fraction_width, quiet);
        let quiet_set = self.bin(BinOp::And, fraction_width, fraction, quiet_bit);
        let is_quiet = self.cmp(CmpOp::Ne, fraction_width, quiet_set, empty);
        let is_signaling = self.not(1, is_quiet);
        let nan = self.bin(BinOp::And, 1, special, not_infinite);
        let infinite = self.bin(BinOp::And, 1, special, is_infinite);
        let subnormal = self.bin(BinOp::And, 1, tiny, nonempty);
        let is_zero = self.bin(BinOp::And, 1, tiny, is_empty);
        // In the order of the mask's bits.
        let classes = [
            (nan, is_signaling),
            (nan, is_quiet),
            (infinite, negative),
            (normal, negative),
            (subnormal, negative),
            (is_zero, negative),
            (is_zero, positive),
            (subnormal, positive),
            (normal, positive),
            (infinite, positive),
        ];
        let mut result = self.int(1, 0);
        for (bit, (class, sign)) in classes.into_iter().enumerate() {
            if mask >> bit & 1 == 1 {
                let member = self.bin(BinOp::And, 1, class, sign);
                result = self.bin(BinOp::Or, 1, result, member);
            }
        }
        result
    }

    /// Calls a function of a float and an integer, lane by lane.
    fn call_with_int(&mut self, inst: Value<'m>, name: &str, format: Format) -> Lowered<()> {
        let width = int_width(inst.operand(1).ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let n = self.operand(inst.operand(1))?;
        let scalar_count = !inst.operand(1).ty().is_vector();
        self.map_lanes(inst, |this, lane| {
            let n = if scalar_count { n } else { n.offset(lane * int_slots(width)) };
            let n = this.resize(true, width, 32, n);
            let slots = float_slots(format);
            Ok(this.call_named(name, &[(a.offset(lane * format.slots()), slots), (n, &[SlotType::Int(32)])], slots))
        })
    }

    /// `llvm.frexp` returns what C's function writes through a pointer as a second result.
    fn frexp(&mut self, inst: Value<'m>) -> Lowered<()> {
        let format = Format::of(inst.operand(0).ty())?;
        let slots = float_slots(format);
        let result = self.shape(inst.ty())?;
        if result.len() != format.slots() + 1 {
            return Err(Unsupported::new("`frexp` of vectors"));
        }
        let exponent_kind = result.slots[format.slots() as usize];
        let a = self.operand(inst.operand(0))?;
        let info = InfoId(self.body.allocas.len() as u32);
        self.body.allocas.push(Alloca { element_size: 4, count: None, align: 4, name: "".into() });
        let cell = self.fresh(1);
        self.emit(Inst::Alloca { dst: cell, info });
        let cell = Operand::slot(cell);
        let name = library_name("frexp", format);
        let fraction = self.call_named(&name, &[(a, slots), (cell, &[SlotType::Ptr])], slots);
        let exponent = self.fresh(1);
        self.emit(Inst::Load { dst: exponent, addr: cell, bytes: 4, width: 32 });
        let exponent = self.resize(true, 32, u32::from(exponent_kind.width()), Operand::slot(exponent));
        let dst = self.result(inst)?;
        self.move_slots(dst, fraction, format.slots());
        self.move_slots(Slot(dst.0 + format.slots()), exponent, 1);
        Ok(())
    }
}

/// Intrinsics that are one operation.
fn unary(name: &str) -> Option<FloatUnOp> {
    Some(match name {
        "fabs" => FloatUnOp::Abs,
        "sqrt" => FloatUnOp::Sqrt,
        "floor" => FloatUnOp::Floor,
        "ceil" => FloatUnOp::Ceil,
        "trunc" => FloatUnOp::Trunc,
        "round" => FloatUnOp::Round,
        "roundeven" => FloatUnOp::RoundEven,
        "rint" | "nearbyint" => FloatUnOp::Rint,
        _ => return None,
    })
}

/// The C function for a format: `sinf`, `sin` or `sinl`.
fn library_name(name: &str, format: Format) -> String {
    match format {
        Format::Float(32) => format!("{name}f"),
        Format::Float(_) => name.to_string(),
        Format::Long => format!("{name}l"),
    }
}

/// The C functions that lowering may create for an intrinsic, such as `sinf` for `llvm.sin.v4f32`.
pub(crate) fn library_functions(intrinsic: &str) -> Option<String> {
    let mut parts = intrinsic.strip_prefix("llvm.")?.split('.');
    let name = parts.next()?;
    let ty = parts.next()?;
    let format = match ty {
        _ if ty.ends_with("f32") => Format::Float(32),
        _ if ty.ends_with("f64") => Format::Float(64),
        _ if ty.ends_with("f80") => Format::Long,
        _ => return None,
    };
    match name {
        "powi" => Some(power_function(format).to_string()),
        "fma" if format == Format::Long => Some("fmal".to_string()),
        "ldexp" | "frexp" | "pow" => Some(library_name(name, format)),
        _ if CALLED.contains(&name) => Some(library_name(name, format)),
        _ => None,
    }
}

fn power_function(format: Format) -> &'static str {
    match format {
        Format::Float(32) => "__powisf2",
        Format::Float(_) => "__powidf2",
        Format::Long => "__powixf2",
    }
}

/// The bits of ±2ⁿ as a float of this width.
fn power_of_two(width: u8, n: u32, negative: bool) -> u64 {
    let n = u64::from(n);
    let sign = u64::from(negative);
    if width == 32 { (127 + n) << 23 | sign << 31 } else { (1023 + n) << 52 | sign << 63 }
}

/// The predicate that a metadata string such as `metadata !"olt"` names.
fn constrained_predicate(name: &str) -> Option<FloatCmp> {
    let unordered = name.starts_with('u');
    let set = |less, equal, greater| Some(FloatCmp { less, equal, greater, unordered });
    match name {
        "ord" => Some(FloatCmp { less: true, equal: true, greater: true, unordered: false }),
        "uno" => set(false, false, false),
        "oeq" | "ueq" => set(false, true, false),
        "ogt" | "ugt" => set(false, false, true),
        "oge" | "uge" => set(false, true, true),
        "olt" | "ult" => set(true, false, false),
        "ole" | "ule" => set(true, true, false),
        "one" | "une" => set(true, false, true),
        _ => None,
    }
}
