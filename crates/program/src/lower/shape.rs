//! How a type is split into slots, and where each slot is in memory.

use crate::code::SlotType;
use crate::llvm::{Layout, Type};
use crate::tuning::Tuning;
use inkwell::llvm_sys::LLVMTypeKind;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Something that cannot be lowered: what it is, for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(pub(crate) String);

impl Unsupported {
    pub(crate) fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

/// What lowering yields.
pub(crate) type Lowered<T> = Result<T, Unsupported>;

/// One access to memory that a value of a type needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// Slot `slot` is at `offset`, in `bytes` bytes, `width` bits of which are used.
    Whole { slot: u32, offset: u64, bytes: u8, width: u8 },
    /// A vector whose lanes are not whole bytes: `lanes` slots of `width` bits from `slot` on, without gaps.
    Packed { slot: u32, offset: u64, lanes: u32, width: u8 },
}

/// A type as slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub(crate) slots: Box<[SlotType]>,
    pub(crate) pieces: Box<[Piece]>,
}

impl Shape {
    pub(crate) fn len(&self) -> u32 {
        self.slots.len() as u32
    }
}

/// The shapes of the types of a module.
pub(crate) struct Shapes<'m> {
    layout: Layout<'m>,
    known: FxHashMap<Type<'m>, Lowered<Rc<Shape>>>,
    most_slots: usize,
    most_bits: u32,
}

impl<'m> Shapes<'m> {
    pub(crate) fn new(layout: Layout<'m>, tuning: &Tuning) -> Shapes<'m> {
        let Tuning { value_scalars: most_slots, integer_bits: most_bits, .. } = *tuning;
        Shapes { layout, known: FxHashMap::default(), most_slots, most_bits }
    }

    pub(crate) fn layout(&self) -> Layout<'m> {
        self.layout
    }

    /// The shape of a first-class type (or of `void`, which has no slots).
    pub(crate) fn shape(&mut self, ty: Type<'m>) -> Lowered<Rc<Shape>> {
        if let Some(shape) = self.known.get(&ty) {
            return shape.clone();
        }
        let mut slots = Vec::new();
        let mut pieces = Vec::new();
        let shape = self
            .flatten(ty, 0, &mut slots, &mut pieces)
            .map(|()| Rc::new(Shape { slots: slots.into(), pieces: pieces.into() }));
        self.known.insert(ty, shape.clone());
        shape
    }

    fn flatten(&self, ty: Type<'m>, offset: u64, slots: &mut Vec<SlotType>, pieces: &mut Vec<Piece>) -> Lowered<()> {
        let first = slots.len() as u32;
        if slots.len() > self.most_slots {
            return Err(self.too_many_scalars());
        }
        match ty.kind() {
            LLVMTypeKind::LLVMVoidTypeKind => {}
            LLVMTypeKind::LLVMStructTypeKind => {
                if !ty.is_sized() || ty.is_scalable() {
                    return Err(Unsupported::new(format!("value of type `{ty}`")));
                }
                for (index, field) in ty.fields().into_iter().enumerate() {
                    let at = self.layout.field_offset(ty, index as u32);
                    self.flatten(field, offset + at, slots, pieces)?;
                }
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let (element, count) = ty.elements().ok_or_else(|| Unsupported::new("malformed array type"))?;
                if !element.is_sized() || element.is_scalable() {
                    return Err(Unsupported::new(format!("value of type `{ty}`")));
                }
                if count > self.most_slots as u64 {
                    return Err(self.too_many_scalars());
                }
                let stride = self.layout.size(element);
                for index in 0..count {
                    self.flatten(element, offset + index * stride, slots, pieces)?;
                }
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                let (element, lanes) = ty.lanes();
                if lanes as usize > self.most_slots {
                    return Err(self.too_many_scalars());
                }
                let scalar = self.scalar(element)?;
                let bits: u32 = scalar.iter().map(|slot| u32::from(slot.width())).sum();
                if bits.is_multiple_of(8) {
                    for lane in 0..lanes {
                        push_scalar(&scalar, offset + u64::from(lane * bits / 8), slots, pieces);
                    }
                } else if let [SlotType::Int(width)] = scalar[..] {
                    slots.extend(std::iter::repeat_n(SlotType::Int(width), lanes as usize));
                    pieces.push(Piece::Packed { slot: first, offset, lanes, width });
                } else {
                    return Err(Unsupported::new(format!("value of type `{ty}`")));
                }
            }
            _ => push_scalar(&self.scalar(ty)?, offset, slots, pieces),
        }
        Ok(())
    }

    /// The slots of a scalar type.
    pub(crate) fn scalar(&self, ty: Type<'_>) -> Lowered<Vec<SlotType>> {
        Ok(match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => match ty.int_width() {
                Some(width @ 1..=64) => vec![SlotType::Int(width as u8)],
                Some(width @ 65..=128) => vec![SlotType::WideLow, SlotType::WideHigh((width - 64) as u8)],
                Some(width) if (129..=self.most_bits).contains(&width) => {
                    let mut words = vec![SlotType::Int(64); width.div_ceil(64) as usize];
                    if let (Some(last), 1..) = (words.last_mut(), width % 64) {
                        *last = SlotType::Int((width % 64) as u8);
                    }
                    words
                }
                _ => return Err(Unsupported::new(format!("integer of type `{ty}`"))),
            },
            LLVMTypeKind::LLVMPointerTypeKind if ty.address_space() == 0 => vec![SlotType::Ptr],
            LLVMTypeKind::LLVMPointerTypeKind => {
                return Err(Unsupported::new(format!("pointer of address space {}", ty.address_space())));
            }
            LLVMTypeKind::LLVMFloatTypeKind => vec![SlotType::F32],
            LLVMTypeKind::LLVMDoubleTypeKind => vec![SlotType::F64],
            LLVMTypeKind::LLVMX86_FP80TypeKind => vec![SlotType::F80Low, SlotType::F80High],
            // These can be moved; arithmetic on them is unsupported.
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => vec![SlotType::Int(16)],
            LLVMTypeKind::LLVMFP128TypeKind => vec![SlotType::WideLow, SlotType::WideHigh(64)],
            _ => return Err(Unsupported::new(format!("value of type `{ty}`"))),
        })
    }

    fn too_many_scalars(&self) -> Unsupported {
        Unsupported::new(format!("value of more than {} scalars", self.most_slots))
    }
}

/// Appends the slots of one scalar and the accesses that they need.
fn push_scalar(scalar: &[SlotType], offset: u64, slots: &mut Vec<SlotType>, pieces: &mut Vec<Piece>) {
    let mut at = offset;
    for &slot in scalar {
        let bytes = slot.width().div_ceil(8);
        pieces.push(Piece::Whole { slot: slots.len() as u32, offset: at, bytes, width: slot.width() });
        slots.push(slot);
        at += u64::from(bytes);
    }
}
