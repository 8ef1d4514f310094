//! The dense, immutable form of a program that the machine runs.
//!
//! A first-class LLVM value becomes one or more *slots* of at most 64 bits each:
//! a scalar of up to 64 bits is one slot; an integer of 65 to 128 bits is two (low half first), and a longer one is words of 64 bits; an
//! x86 `long double` is two (low 64 bits, then the upper 16); a vector, struct or array value is the slots of its elements, in order.
//! Slots are mutable, so that phis are moves on edges and locals whose address is not taken live in slots, too.
//! Every address of a global or function is a constant, known when the program is loaded.

use serde::{Deserialize, Serialize};
use std::fmt;

pub use secateur_expr::{FloatCast, FloatCmp, FloatOp, FloatUnOp};

/// Declares a `u32` index type of its own for one kind of entity.
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table of this kind of entity.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

entity!(
    /// A function, defined or only declared.
    FuncId,
    "fn"
);
entity!(
    /// A global variable.
    GlobalId,
    "g"
);
entity!(
    /// A basic block of one function.
    BlockId,
    "bb"
);
entity!(
    /// An edge of the control-flow graph of one function, with the moves that its phis need.
    EdgeId,
    "e"
);
entity!(
    /// A conditional branch or switch; numbered over the whole program.
    BranchId,
    "br"
);
entity!(
    /// A source location; index into [`Program::locations`]. Location 0 is "unknown".
    LocId,
    "loc"
);
entity!(
    /// A register of a frame.
    Slot,
    "%"
);
entity!(
    /// An entry in one of a body's side tables.
    InfoId,
    "i"
);

/// Where an instruction reads from: a slot, or an entry in the constants of the body.
///
/// The operand of a value of several slots is that of its first; the others follow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

impl Operand {
    const CONST: u32 = 1 << 31;

    /// Reads a slot.
    #[inline(always)]
    pub fn slot(slot: Slot) -> Operand {
        debug_assert!(slot.0 < Self::CONST);
        Operand(slot.0)
    }

    /// Reads entry `index` of [`Body::consts`].
    #[inline(always)]
    pub fn constant(index: u32) -> Operand {
        debug_assert!(index < Self::CONST);
        Operand(index | Self::CONST)
    }

    /// The slot or constant that is read.
    #[inline(always)]
    pub fn kind(self) -> OperandKind {
        if self.0 & Self::CONST == 0 {
            OperandKind::Slot(Slot(self.0))
        } else {
            OperandKind::Const(self.0 & !Self::CONST)
        }
    }

    /// The operand of the `n`th slot after this one.
    #[inline(always)]
    pub fn offset(self, n: u32) -> Operand {
        Operand(self.0 + n)
    }
}

/// An [`Operand`], taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// A register.
    Slot(Slot),
    /// An index into [`Body::consts`].
    Const(u32),
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            OperandKind::Slot(slot) => write!(f, "{slot}"),
            OperandKind::Const(index) => write!(f, "c{index}"),
        }
    }
}

/// What one slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SlotType {
    /// An integer of 1 to 64 bits, zero-extended.
    Int(u8),
    /// A pointer.
    Ptr,
    /// The bits of a `float`.
    F32,
    /// The bits of a `double`.
    F64,
    /// The low 64 bits of an integer of 65 to 128 bits; the next slot is [`SlotType::WideHigh`].
    WideLow,
    /// The bits from 64 up of an integer of `64 + n` bits.
    WideHigh(u8),
    /// The low 64 bits of an x86 `long double`; the next slot is [`SlotType::F80High`].
    F80Low,
    /// The sign and exponent of an x86 `long double`.
    F80High,
}

impl SlotType {
    /// How many bits of the slot are used.
    pub fn width(self) -> u8 {
        match self {
            SlotType::Int(width) | SlotType::WideHigh(width) => width,
            SlotType::Ptr | SlotType::F64 | SlotType::WideLow | SlotType::F80Low => 64,
            SlotType::F32 => 32,
            SlotType::F80High => 16,
        }
    }
}

/// Integer operations on two values of one width.
///
/// Shifts by the width or more are masked as the processor does (by 63 for 64 bits and 31 for fewer).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// Integer operations on one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnOp {
    /// How many bits are set.
    CountOnes,
    /// How many zero bits precede the highest set bit; the width for 0.
    LeadingZeros,
    /// How many zero bits follow the lowest set bit; the width for 0.
    TrailingZeros,
    /// Bytes in reverse order.
    SwapBytes,
    /// Bits in reverse order.
    ReverseBits,
}

/// Integer comparisons; the result is one bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions between integers of up to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CastOp {
    ZExt,
    SExt,
    Trunc,
}

/// Operations that involve an x86 `long double` (two slots). They are done on concrete values only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LongDoubleOp {
    /// Arithmetic on two `long double`s.
    Bin(FloatOp),
    /// Arithmetic on one `long double`.
    Un(FloatUnOp),
    /// Comparison of two `long double`s; the result is one bit.
    Cmp(FloatCmp),
    /// From `float` (32) or `double` (64).
    FromFloat(u8),
    /// To `float` (32) or `double` (64).
    ToFloat(u8),
    /// From a signed integer of this width, up to 64.
    FromSigned(u8),
    /// From an unsigned integer of this width, up to 64.
    FromUnsigned(u8),
    /// To a signed integer of this width, up to 64.
    ToSigned(u8),
    /// To an unsigned integer of this width, up to 64.
    ToUnsigned(u8),
}

/// One instruction.
///
/// `width` is in bits. Unless it says otherwise, operands and results are single slots of at most 64 bits, kept zero-extended.
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

    /// Loads `bytes` bytes, little-endian, into one slot; the lowest `width` bits are kept. (A wide value is two loads.)
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
    /// Makes a stack object; see [`Body::allocas`].
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
    /// `dst` = size of the object that `addr` points into, less the offset; -1 or 0 (for `min`) if unknown: `llvm.objectsize`.
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
    /// Ends the life of all stack objects made in this frame since the matching `StackSave`.
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
    /// Something that cannot be run: ends the path, saying [`Body::unsupported`].
    Unsupported {
        info: InfoId,
    },
}

/// Where a jump goes, and what its phis move. The moves happen in parallel: all sources are read first, unless
/// `sequential` says that doing them in order gives the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The block that is entered.
    pub to: BlockId,
    /// Index in `Body::code` of the first instruction of `to`.
    pub pc: u32,
    /// `dst = src`, one slot each.
    pub moves: Box<[(Slot, Operand)]>,
    /// No source is the destination of an earlier move.
    pub sequential: bool,
}

/// A basic block: a range of `Body::code`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// Index of the first instruction.
    pub start: u32,
    /// One past the terminator.
    pub end: u32,
    /// Blocks that the terminator may enter, without repetition.
    pub successors: Box<[BlockId]>,
    /// Number in the user's module as instrumented for native replay; `None` outside the user's code.
    pub native: Option<u32>,
}

/// A stack allocation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Alloca {
    /// Size of one element in bytes.
    pub element_size: u64,
    /// How many elements (64 bits); `None` for one.
    pub count: Option<Operand>,
    /// Alignment in bytes.
    pub align: u32,
    /// The variable's name, if known.
    pub name: Box<str>,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// The function whose address this is.
    Indirect(Operand),
}

/// One argument of a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// The first slot.
    pub value: Operand,
    /// The types of its slots, in order.
    pub slots: Box<[SlotType]>,
    /// For `byval`: the argument is a pointer to an object of this size and alignment, and the callee gets a copy.
    pub by_value: Option<(u64, u32)>,
    /// Its source type is signed, and an integer of less than 32 bits is extended accordingly (`signext`).
    pub signed: bool,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Who is called.
    pub callee: Callee,
    /// The arguments, in order.
    pub args: Box<[Argument]>,
    /// First slot of the result.
    pub dst: Slot,
    /// The slots of the result; empty for `void`.
    pub result: Box<[SlotType]>,
}

/// A switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Switch {
    /// Width of the value.
    pub width: u8,
    /// Value and the index into `targets`; sorted by value.
    pub cases: Box<[(u64, u32)]>,
    /// The distinct edges; entry 0 is the default. Cases that enter the same block with the same moves share an entry.
    pub targets: Box<[EdgeId]>,
    /// Which branch it is; its outcome `n` is `targets[n]`.
    pub branch: BranchId,
}

/// The code of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Body {
    /// All instructions, block after block; entry is 0.
    pub code: Vec<Inst>,
    /// The location of each instruction.
    pub locs: Vec<LocId>,
    /// The blocks, in order of `code`.
    pub blocks: Vec<Block>,
    /// How many slots a frame needs. Parameters come first.
    pub slots: u32,
    /// Constants, one slot each.
    pub consts: Vec<u64>,
    /// Side tables.
    pub edges: Vec<Edge>,
    /// For [`Inst::Alloca`].
    pub allocas: Vec<Alloca>,
    /// For [`Inst::Call`].
    pub calls: Vec<Call>,
    /// For [`Inst::Switch`].
    pub switches: Vec<Switch>,
    /// For [`Inst::IndirectJump`]: address and edge.
    pub gotos: Vec<Box<[(u64, EdgeId)]>>,
    /// For [`Inst::Return`]: the value and its slots.
    pub returns: Vec<Option<Argument>>,
    /// For [`Inst::Unsupported`]: what it is, e.g. "inline assembly `cpuid`".
    pub unsupported: Vec<String>,
    /// Slots that stand for locals (allocas whose address is not taken): they are uninitialised on entry.
    pub locals: Vec<(Slot, SlotType)>,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Its name, if debug information tells.
    pub name: Box<str>,
    /// Its slots.
    pub slots: Box<[SlotType]>,
    /// For `byval` parameters: size and alignment of what the pointer points to.
    pub by_value: Option<(u64, u32)>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its linker name.
    pub name: Box<str>,
    /// Its parameters; slots are numbered from 0 in this order.
    pub params: Box<[Param]>,
    /// The slots of its result.
    pub result: Box<[SlotType]>,
    /// Takes variable arguments.
    pub variadic: bool,
    /// It is part of the user's program (and not of our C library): its branches and lines count for coverage.
    pub user: bool,
    /// `None` if it is only declared: the machine looks for a shim of that name.
    pub body: Option<Body>,
    /// Where it is defined.
    pub loc: LocId,
}

/// How a call of a function goes on once the function has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Returns {
    /// After the call, once.
    #[default]
    Once,
    /// After the call, and once more whenever somebody jumps back to it, as `setjmp`.
    Twice,
    /// Not at all: it ends the path.
    Never,
    /// Where a function that returns twice was called, as `longjmp`.
    Elsewhere,
}

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its linker name.
    pub name: Box<str>,
    /// Its size in bytes; a large one is followed by [fillers](Global::filler) for the other object numbers that it takes.
    pub size: u64,
    /// Its first value, with all addresses filled in. Shorter than `size` if the rest is zero.
    pub init: Vec<u8>,
    /// It must not be written.
    pub constant: bool,
    /// It is only declared: using it is unsupported.
    pub external: bool,
    /// Alignment in bytes.
    pub align: u32,
}

impl Global {
    /// What stands for a further object number of the global before it.
    pub fn filler() -> Global {
        Global { name: Box::default(), size: 0, init: Vec::new(), constant: false, external: true, align: 1 }
    }

    /// It is not a global of its own.
    pub fn is_filler(&self) -> bool {
        self.name.is_empty() && self.external
    }
}

/// A conditional branch or switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The function it is in.
    pub function: FuncId,
    /// The block it ends.
    pub block: BlockId,
    /// Where it is in the source.
    pub loc: LocId,
    /// How many outcomes it has: 2 for a branch (0 is false, 1 is true), the number of distinct targets for a switch.
    pub outcomes: u32,
    /// Number in the user's module as instrumented for native replay; `None` outside the user's code.
    pub native: Option<u32>,
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Location {
    /// Index into [`Program::files`].
    pub file: u32,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
}

/// A loaded program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// All functions, the defined and the declared.
    pub functions: Vec<Function>,
    /// All global variables.
    pub globals: Vec<Global>,
    /// All conditional branches and switches.
    pub branches: Vec<Branch>,
    /// All source locations; entry 0 is unknown.
    pub locations: Vec<Location>,
    /// The source files, as the debug information names them; entry 0 is "?".
    pub files: Vec<String>,
    /// Functions to run before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// Functions to run after `main`, in order.
    pub destructors: Vec<FuncId>,
    /// The function to start with.
    pub entry: Option<FuncId>,
}

/// Addresses are an object number and, below, the offset in the object. As on Linux they have 47 bits, so that programs may use the others for tags; object
/// numbers have 25 of them.
pub const OFFSET_BITS: u32 = 22;
/// The object number of function 0. Globals are numbered from 1.
pub const FIRST_FUNCTION_OBJECT: u64 = 1 << 19;
/// The first object number that the machine may give to stack and heap objects.
pub const FIRST_DYNAMIC_OBJECT: u64 = 1 << 20;
/// The largest object.
pub const MAX_OBJECT_SIZE: u64 = 1 << 30;

/// How many object numbers an object takes: most take one, and the upper half of its addresses is out of bounds. A larger one has several, of which the first is its own.
pub const fn numbers_of(size: u64) -> u64 {
    let gap = 1 << (OFFSET_BITS - 1);
    if size <= gap { 1 } else { (size + gap).div_ceil(1 << OFFSET_BITS) }
}

/// The address of a global variable.
#[inline]
pub fn global_address(global: GlobalId) -> u64 {
    (u64::from(global.0) + 1) << OFFSET_BITS
}

/// The address of a function.
#[inline]
pub fn function_address(function: FuncId) -> u64 {
    (FIRST_FUNCTION_OBJECT + u64::from(function.0)) << OFFSET_BITS
}

/// The address of a label whose address is taken (`&&label`).
#[inline]
pub fn block_address(function: FuncId, block: BlockId) -> u64 {
    function_address(function) + 1 + u64::from(block.0)
}

/// The function at an address, if it is the address of a function.
#[inline]
pub fn function_at(address: u64) -> Option<FuncId> {
    let object = address >> OFFSET_BITS;
    let offset = address & ((1 << OFFSET_BITS) - 1);
    ((FIRST_FUNCTION_OBJECT..FIRST_DYNAMIC_OBJECT).contains(&object) && offset == 0)
        .then(|| FuncId((object - FIRST_FUNCTION_OBJECT) as u32))
}

impl Program {
    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| &*f.name == name).map(|i| FuncId(i as u32))
    }

    /// It is the function of the C library that runs the program's destructors when it ends.
    pub fn runs_destructors(&self, function: FuncId) -> bool {
        let function = &self.functions[function.index()];
        &*function.name == "exit" && !function.user
    }

    /// `file:line` of a location, or "?".
    pub fn describe(&self, loc: LocId) -> String {
        match self.locations.get(loc.index()) {
            Some(at) if at.line > 0 => format!("{}:{}", self.files[at.file as usize], at.line),
            _ => "?".to_string(),
        }
    }
}
