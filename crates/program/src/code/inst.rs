//! Instructions.

use secateur_expr::{FloatCast, FloatCmp, FloatOp, FloatUnOp};
use serde::{Deserialize, Serialize};

use super::{BinOp, BranchId, CastOp, CmpOp, EdgeId, InfoId, LongDoubleOp, Operand, Slot, UnOp};

/// One instruction.
///
/// `width` is in bits. Unless it says otherwise, operands and results are single slots of at most 64 bits, kept
/// zero-extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Inst {
    /// `dst = src`, one slot.
    Move {
        dst: Slot,
        src: Operand,
    },
    Bin {
        op: BinOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Un {
        op: UnOp,
        width: u8,
        dst: Slot,
        a: Operand,
    },
    Cmp {
        op: CmpOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },
    /// `dst = if cond { a } else { b }`; `width` is that of `a` and `b`.
    Select {
        width: u8,
        dst: Slot,
        cond: Operand,
        a: Operand,
        b: Operand,
    },
    /// `dst = base + index * scale` on 64 bits: one step of a GEP. `index` was extended before.
    PtrAdd {
        dst: Slot,
        base: Operand,
        index: Operand,
        scale: u32,
    },

    /// As `Bin`, on two-slot operands and result; `width` is 65 to 128.
    BinWide {
        op: BinOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// As `Un`, on two-slot operand and result.
    UnWide {
        op: UnOp,
        width: u8,
        dst: Slot,
        a: Operand,
    },
    /// As `Cmp`, on two-slot operands; the result is one bit in one slot.
    CmpWide {
        op: CmpOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// As `Cast` where `from` or `to` is above 64 and that side has two slots.
    CastWide {
        op: CastOp,
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },

    /// `width` is 32 or 64.
    Float {
        op: FloatOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    FloatUn {
        op: FloatUnOp,
        width: u8,
        dst: Slot,
        a: Operand,
    },
    FloatCmp {
        cmp: FloatCmp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// `from` and `to` are the widths of the two sides; integers have at most 64 bits.
    FloatCast {
        op: FloatCast,
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },
    /// `a * b + c` rounded once.
    FusedMulAdd {
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    LongDouble {
        op: LongDoubleOp,
        dst: Slot,
        a: Operand,
        b: Operand,
    },

    /// Loads `bytes` bytes, little-endian, into one slot; the lowest `width` bits are kept. (A wide value is two
    /// loads.)
    Load {
        dst: Slot,
        addr: Operand,
        bytes: u8,
        width: u8,
    },
    /// Stores one slot of `width` bits, zero-extended to `bytes` bytes.
    Store {
        addr: Operand,
        src: Operand,
        bytes: u8,
        width: u8,
    },
    /// Allocates a stack object; see [`Body::allocas`].
    Alloca {
        dst: Slot,
        info: InfoId,
    },
    /// Marks a stack object's end of life (`llvm.lifetime.end`).
    LifetimeEnd {
        addr: Operand,
    },
    /// Marks a stack object's (new) start of life; its content is undefined again.
    LifetimeStart {
        addr: Operand,
    },
    /// Copies `len` bytes; the regions may overlap.
    MemCopy {
        dst: Operand,
        src: Operand,
        len: Operand,
    },
    /// Sets `len` bytes to the low byte of `value`.
    MemSet {
        dst: Operand,
        value: Operand,
        len: Operand,
    },
    /// `dst` = size of the object that `addr` points into, less the offset; -1 or 0 (for `min`) if unknown:
    /// `llvm.objectsize`.
    ObjectSize {
        dst: Slot,
        addr: Operand,
        min: bool,
    },

    /// See [`Body::calls`].
    Call {
        info: InfoId,
    },
    /// Fills the `va_list` at `list` from the variable arguments of the frame.
    VaStart {
        list: Operand,
    },
    /// Copies the `va_list` at `src` to `dst`.
    VaCopy {
        dst: Operand,
        src: Operand,
    },
    /// Saves the stack height, for variable-length arrays.
    StackSave {
        dst: Slot,
    },
    /// Ends the life of all stack objects that this frame has allocated since the matching `StackSave`.
    StackRestore {
        saved: Operand,
    },
    /// `llvm.assume`: on false the behaviour is undefined, as for `Unreachable`.
    Assume {
        cond: Operand,
    },

    Jump {
        edge: EdgeId,
    },
    Branch {
        cond: Operand,
        then_edge: EdgeId,
        else_edge: EdgeId,
        branch: BranchId,
    },
    /// See [`Body::switches`].
    Switch {
        value: Operand,
        info: InfoId,
    },
    /// Computed goto; see [`Body::gotos`].
    IndirectJump {
        addr: Operand,
        info: InfoId,
    },
    /// Returns the values in [`Body::returns`].
    Return {
        info: InfoId,
    },
    /// LLVM's `unreachable`.
    Unreachable,
    /// A construct that cannot be run: ends the path with the message in [`Body::unsupported`].
    Unsupported {
        info: InfoId,
    },
}
