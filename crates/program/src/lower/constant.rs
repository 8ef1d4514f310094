//! Constants: everything is folded, because all addresses are known when the program is loaded.

use super::Lowering;
use super::call::constant_result;
use super::shape::{Lowered, Piece, Unsupported};
use crate::code::{block_address, function_address, global_address};
use crate::llvm::{Type, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// No compiler nests constant expressions deeper than this. It keeps the stack from overflowing.
const MAX_DEPTH: u32 = 256;

impl<'m> Lowering<'m> {
    /// The slots of a constant.
    pub(crate) fn constant(&mut self, value: Value<'m>) -> Lowered<Vec<u64>> {
        self.constant_at(value, 0)
    }

    /// The bytes of a constant in memory, without the zeros at the end.
    pub(crate) fn image(&mut self, value: Value<'m>) -> Lowered<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write(value, 0, &mut bytes, 0)?;
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        bytes.truncate(used);
        Ok(bytes)
    }

    fn constant_at(&mut self, value: Value<'m>, depth: u32) -> Lowered<Vec<u64>> {
        if depth > MAX_DEPTH {
            return Err(Unsupported::new("deeply nested constant"));
        }
        let ty = value.ty();
        if value.is_const_int() {
            // (A type with too many bits has no shape.)
            self.shapes.scalar(ty)?;
            return match value.int_bits() {
                Some(bits) => Ok(self.split(ty, bits)),
                None => value.int_words().ok_or_else(|| Unsupported::new(format!("integer of type `{ty}`"))),
            };
        }
        if value.is_const_float() {
            let width = self.shapes.scalar(ty)?.iter().map(|slot| u32::from(slot.width())).sum();
            let bits = value.float_bits(width).ok_or_else(|| Unsupported::new(format!("constant of type `{ty}`")))?;
            return Ok(self.split(ty, bits));
        }
        if value.is_function() || value.is_global_variable() || value.is_alias() || value.is_ifunc() {
            return Ok(vec![self.address(value, depth)?]);
        }
        if value.is_undefined() || value.is_const_null() || value.is_const_zero() {
            return Ok(vec![0; self.shapes.shape(ty)?.slots.len()]);
        }
        if value.is_const_expr() {
            return self.expression(value, depth);
        }
        if value.is_const_struct() || value.is_const_array() || value.is_const_vector() || value.is_const_data() {
            let expected = self.shapes.shape(ty)?.slots.len();
            let mut slots = Vec::with_capacity(expected);
            let mut index = 0;
            while slots.len() < expected {
                let element = value.element(index).ok_or_else(|| Unsupported::new("malformed constant"))?;
                slots.extend(self.constant_at(element, depth + 1)?);
                index += 1;
            }
            return Ok(slots);
        }
        if let Some((function, block)) = value.block_address() {
            let id = self.function_id(function)?;
            let index = self.block_index(function, block);
            return Ok(vec![block_address(id, index)]);
        }
        // `dso_local_equivalent` and `no_cfi` only wrap a function.
        if ty.is_pointer() && value.operand_count() == 1 {
            return self.constant_at(value.operand(0), depth + 1);
        }
        Err(Unsupported::new(format!("constant `{value}`")))
    }

    /// The address of a global, function, alias or ifunc.
    fn address(&mut self, value: Value<'m>, depth: u32) -> Lowered<u64> {
        if let Some(&id) = self.global_ids.get(&value) {
            return Ok(global_address(id));
        }
        if self.is_absent(value) {
            return Ok(0);
        }
        if let Some(target) = value.aliasee() {
            return Ok(self.constant_at(target, depth + 1)?[0]);
        }
        if let Some(resolver) = value.ifunc_resolver() {
            let chosen = constant_result(resolver);
            let chosen = chosen.ok_or_else(|| Unsupported::new(format!("address of the ifunc `{}`", value.name())))?;
            return Ok(function_address(self.function_id(chosen)?));
        }
        if value.is_function() {
            return Ok(function_address(self.function_id(value)?));
        }
        Err(Unsupported::new(format!("address of `{}`", value.name())))
    }

    fn expression(&mut self, value: Value<'m>, depth: u32) -> Lowered<Vec<u64>> {
        let opcode = value.opcode().ok_or_else(|| Unsupported::new("malformed constant"))?;
        let unsupported = || Unsupported::new(format!("constant expression `{value}`"));
        let ty = value.ty();
        match opcode {
            LLVMOpcode::LLVMGetElementPtr => {
                if ty.is_vector() {
                    return Err(unsupported());
                }
                let mut address = self.constant_at(value.operand(0), depth + 1)?[0];
                let mut indices = Vec::new();
                for index in value.operands().skip(1) {
                    let width = index.ty().int_width().ok_or_else(unsupported)?;
                    let slots = self.constant_at(index, depth + 1)?;
                    indices.push(sign_extend(slots[0], width.min(64)));
                }
                let mut at = value.gep_type();
                for (position, &index) in indices.iter().enumerate() {
                    let step = if position == 0 {
                        self.sized(at)?;
                        index.wrapping_mul(self.shapes.layout().size(at) as i64)
                    } else {
                        let (inner, offset) = self.step_into(at, index)?;
                        at = inner;
                        offset
                    };
                    address = address.wrapping_add(step as u64);
                }
                Ok(vec![address])
            }
            LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast => {
                let from = value.operand(0);
                let slots = self.constant_at(from, depth + 1)?;
                let source = self.shapes.shape(from.ty())?;
                let target = self.shapes.shape(ty)?;
                let mut bits = Bits::default();
                for (&slot, kind) in slots.iter().zip(&source.slots) {
                    bits.push(slot, kind.width());
                }
                Ok(target.slots.iter().map(|kind| bits.pop(kind.width())).collect())
            }
            LLVMOpcode::LLVMTrunc if difference(value.operand(0)).is_some() && ty.int_width() == Some(32) => {
                let (to, from) = difference(value.operand(0)).ok_or_else(unsupported)?;
                let to = self.constant_at(to, depth + 1)?[0];
                let from = self.constant_at(from, depth + 1)?[0];
                let bits =
                    if self.is_same_global(to, from) { to.wrapping_sub(from) } else { self.relative.position(to) };
                Ok(self.split(ty, u128::from(bits)))
            }
            LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr | LLVMOpcode::LLVMTrunc | LLVMOpcode::LLVMZExt => {
                let slots = self.constant_at(value.operand(0), depth + 1)?;
                if ty.is_vector() {
                    return Err(unsupported());
                }
                let joined = join(&slots);
                Ok(self.split(ty, joined))
            }
            LLVMOpcode::LLVMSExt => {
                let from = value.operand(0);
                let width = from.ty().int_width().ok_or_else(unsupported)?;
                let bits = join(&self.constant_at(from, depth + 1)?);
                let shift = 128 - width.min(128);
                Ok(self.split(ty, ((bits << shift) as i128 >> shift) as u128))
            }
            LLVMOpcode::LLVMAdd
            | LLVMOpcode::LLVMSub
            | LLVMOpcode::LLVMMul
            | LLVMOpcode::LLVMXor
            | LLVMOpcode::LLVMAnd
            | LLVMOpcode::LLVMOr
            | LLVMOpcode::LLVMShl
                if ty.int_width().is_some() =>
            {
                let a = join(&self.constant_at(value.operand(0), depth + 1)?);
                let b = join(&self.constant_at(value.operand(1), depth + 1)?);
                let bits = match opcode {
                    LLVMOpcode::LLVMAdd => a.wrapping_add(b),
                    LLVMOpcode::LLVMSub => a.wrapping_sub(b),
                    LLVMOpcode::LLVMMul => a.wrapping_mul(b),
                    LLVMOpcode::LLVMXor => a ^ b,
                    LLVMOpcode::LLVMAnd => a & b,
                    LLVMOpcode::LLVMOr => a | b,
                    _ => a.checked_shl(b.min(128) as u32).unwrap_or(0),
                };
                Ok(self.split(ty, bits))
            }
            LLVMOpcode::LLVMExtractElement => {
                let vector = value.operand(0);
                let slots = self.constant_at(vector, depth + 1)?;
                let index = self.constant_at(value.operand(1), depth + 1)?[0];
                let size = self.shapes.shape(ty)?.slots.len() as u64;
                let from = index.checked_mul(size).filter(|from| from + size <= slots.len() as u64);
                Ok(match from {
                    Some(from) => slots[from as usize..(from + size) as usize].to_vec(),
                    None => vec![0; size as usize],
                })
            }
            LLVMOpcode::LLVMInsertElement => {
                let mut slots = self.constant_at(value.operand(0), depth + 1)?;
                let element = self.constant_at(value.operand(1), depth + 1)?;
                let index = self.constant_at(value.operand(2), depth + 1)?[0];
                let size = element.len() as u64;
                if let Some(from) = index.checked_mul(size).filter(|from| from + size <= slots.len() as u64) {
                    slots[from as usize..(from + size) as usize].copy_from_slice(&element);
                }
                Ok(slots)
            }
            LLVMOpcode::LLVMShuffleVector => {
                let mut slots = self.constant_at(value.operand(0), depth + 1)?;
                slots.extend(self.constant_at(value.operand(1), depth + 1)?);
                let size = self.shapes.shape(ty.lanes().0)?.slots.len();
                let mut result = Vec::new();
                for lane in value.shuffle_mask() {
                    match lane.map(|lane| lane as usize * size).and_then(|from| slots.get(from..from + size)) {
                        Some(lane) => result.extend_from_slice(lane),
                        None => result.resize(result.len() + size, 0),
                    }
                }
                Ok(result)
            }
            _ => Err(unsupported()),
        }
    }

    /// The type of a part of an aggregate, and where it begins.
    pub(crate) fn step_into(&self, ty: Type<'m>, index: i64) -> Lowered<(Type<'m>, i64)> {
        self.sized(ty)?;
        if ty.is_struct() {
            let fields = ty.fields();
            let field = usize::try_from(index).ok().and_then(|index| fields.get(index));
            let field = *field.ok_or_else(|| Unsupported::new("field that does not exist"))?;
            return Ok((field, self.shapes.layout().field_offset(ty, index as u32) as i64));
        }
        let (element, _) =
            ty.elements().ok_or_else(|| Unsupported::new(format!("step into a value of type `{ty}`")))?;
        Ok((element, index.wrapping_mul(self.shapes.layout().size(element) as i64)))
    }

    /// Checks that a type has a known size.
    pub(crate) fn sized(&self, ty: Type<'m>) -> Lowered<()> {
        if ty.is_sized() && !ty.is_scalable() {
            Ok(())
        } else {
            Err(Unsupported::new(format!("type `{ty}` without a fixed size")))
        }
    }

    /// The slots of a scalar type that holds these bits.
    fn split(&self, ty: Type<'m>, bits: u128) -> Vec<u64> {
        let mut rest = bits;
        self.shapes
            .scalar(ty)
            .unwrap_or_default()
            .iter()
            .map(|slot| {
                let part = (rest as u64) & mask(slot.width());
                rest >>= slot.width().min(64);
                part
            })
            .collect()
    }

    fn write(&mut self, value: Value<'m>, offset: u64, bytes: &mut Vec<u8>, depth: u32) -> Lowered<()> {
        if depth > MAX_DEPTH {
            return Err(Unsupported::new("deeply nested constant"));
        }
        if value.is_undefined() || value.is_const_zero() || value.is_const_null() {
            return Ok(());
        }
        let ty = value.ty();
        if let Some(text) = value.const_bytes() {
            put(bytes, offset, text);
            return Ok(());
        }
        if ty.is_struct() && value.is_const_struct() {
            for index in 0..ty.fields().len() as u32 {
                let field = value.element(index).ok_or_else(|| Unsupported::new("malformed constant"))?;
                let at = self.shapes.layout().field_offset(ty, index);
                self.write(field, offset + at, bytes, depth + 1)?;
            }
            return Ok(());
        }
        if let (Some((element, count)), false) = (ty.elements(), ty.is_vector()) {
            let stride = self.shapes.layout().size(element);
            for index in 0..count {
                let part = value.element(index as u32).ok_or_else(|| Unsupported::new("malformed constant"))?;
                self.write(part, offset + index * stride, bytes, depth + 1)?;
            }
            return Ok(());
        }
        let slots = self.constant_at(value, depth)?;
        let shape = self.shapes.shape(ty)?;
        for piece in &shape.pieces {
            match *piece {
                Piece::Whole { slot, offset: at, bytes: count, .. } => {
                    put(bytes, offset + at, &slots[slot as usize].to_le_bytes()[..usize::from(count)]);
                }
                Piece::Packed { slot, offset: at, lanes, width } => {
                    let mut bits = Bits::default();
                    for lane in &slots[slot as usize..(slot + lanes) as usize] {
                        bits.push(*lane, width);
                    }
                    let total = (lanes * u32::from(width)).div_ceil(8);
                    let packed: Vec<u8> = (0..total).map(|_| bits.pop(8) as u8).collect();
                    put(bytes, offset + at, &packed);
                }
            }
        }
        Ok(())
    }
}

/// Writes into a buffer that grows as needed; trailing zeros take no space.
fn put(bytes: &mut Vec<u8>, offset: u64, data: &[u8]) {
    let Some(used) = data.iter().rposition(|&byte| byte != 0).map(|last| last + 1) else { return };
    let offset = offset as usize;
    if bytes.len() < offset + used {
        bytes.resize(offset + used, 0);
    }
    bytes[offset..offset + used].copy_from_slice(&data[..used]);
}

/// The two addresses of a constant that is their difference.
fn difference(value: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    let address = |value: Value<'_>| value.is_const_expr() && matches!(value.opcode(), Some(LLVMOpcode::LLVMPtrToInt));
    let is_difference = value.is_const_expr()
        && matches!(value.opcode(), Some(LLVMOpcode::LLVMSub))
        && address(value.operand(0))
        && address(value.operand(1));
    is_difference.then(|| (value.operand(0), value.operand(1)))
}

/// A queue of bits.
#[derive(Default)]
struct Bits {
    bits: std::collections::VecDeque<bool>,
}

impl Bits {
    fn push(&mut self, value: u64, width: u8) {
        self.bits.extend((0..width).map(|bit| value >> bit & 1 == 1));
    }

    /// Takes the lowest bits; zeros follow the end.
    fn pop(&mut self, width: u8) -> u64 {
        (0..width).fold(0, |value, bit| value | u64::from(self.bits.pop_front().unwrap_or(false)) << bit)
    }
}

fn join(slots: &[u64]) -> u128 {
    slots.iter().take(2).enumerate().fold(0, |bits, (index, &slot)| bits | u128::from(slot) << (64 * index))
}

/// All ones in the lowest `width` bits.
pub(crate) fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value of `width` bits as a signed number.
pub(crate) fn sign_extend(bits: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((bits << shift) as i64) >> shift
}
