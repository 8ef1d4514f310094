//! The dense, immutable form of a program that the machine runs.
//!
//! A first-class LLVM value becomes one or more *slots* of at most 64 bits each: a scalar of up to 64 bits is one slot;
//! an integer of 65 to 128 bits is two (low half first), and a longer one is words of 64 bits; an x86 `long double` is
//! two (low 64 bits, then the upper 16); a vector, struct or array value is the slots of its elements, in order. Slots
//! are mutable, so that phis are moves on edges and locals whose address is not taken live in slots, too. Every address
//! of a global or function is a constant, known when the program is loaded.

mod address;
mod block;
mod body;
mod branch;
mod call;
mod function;
mod global;
mod id;
mod inst;
mod location;
mod op;
mod operand;
mod program;
mod slot_type;
mod source_branch;

pub use address::{
    FIRST_DYNAMIC_OBJECT, FIRST_FUNCTION_OBJECT, MAX_OBJECT_SIZE, OFFSET_BITS, ObjectId, block_address,
    function_address, function_at, global_address, numbers_of, object_offset,
};
pub use block::{Block, Edge};
pub use body::{Alloca, Body, Switch};
pub use branch::Branch;
pub use call::{Argument, Call, Callee};
pub use function::{Function, Param, Returns};
pub use global::Global;
pub use id::{BlockId, BranchId, EdgeId, FuncId, GlobalId, InfoId, LocId, Slot};
pub use inst::Inst;
pub use location::Location;
pub use op::{BinOp, CastOp, CmpOp, LongDoubleOp, UnOp};
pub use operand::{Operand, OperandKind};
pub use program::Program;
pub use slot_type::SlotType;
pub use source_branch::SourceBranch;

pub use secateur_expr::{FloatCast, FloatCmp, FloatOp, FloatUnOp};
