//! How each instruction may end a path abnormally: which checks may fail, and whether it may reach something
//! unsupported.
//!
//! This is a static over-approximation: whatever is not certain to succeed counts as a hazard, so an instruction
//! without hazards never ends a path in a bug. A disabled check cannot fail.

mod address;

pub(crate) use address::Addresses;

use std::ops::{BitAnd, BitOr};

use secateur_program::{BinOp, Body, Call, Callee, FuncId, Inst, Operand, Program, Returns};

use crate::access::Access;
use crate::convention::fits;
use crate::end::BugKind;
use crate::options::Options;
use crate::shims;
use crate::value::mask;
use crate::varargs::VA_LIST_SIZE;

/// A set of checks that may fail, and whether something unsupported may be reached.
///
/// ```
/// use secateur_machine::{BugKind, Hazards};
///
/// let access = Hazards::of(&[BugKind::NullPointer, BugKind::OutOfBoundsRead]);
/// assert!(access.has(BugKind::NullPointer) && !access.has_unsupported());
/// assert_eq!((access & Hazards::of(&[BugKind::NullPointer])).kinds().count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hazards(u32);

impl Hazards {
    /// Nothing can go wrong.
    pub const NONE: Hazards = Hazards(0);
    /// Anything can go wrong.
    pub const ANY: Hazards = Hazards(u32::MAX);
    /// Something that is not modelled may be reached.
    pub const UNSUPPORTED: Hazards = Hazards(1 << 31);

    /// The set of these checks.
    pub const fn of(kinds: &[BugKind]) -> Hazards {
        let mut set = 0;
        let mut index = 0;
        while index < kinds.len() {
            set |= 1 << kinds[index] as u32;
            index += 1;
        }
        Hazards(set)
    }

    /// The checks that may fail.
    pub fn kinds(self) -> impl Iterator<Item = BugKind> {
        BugKind::ALL.iter().copied().filter(move |kind| self.has(*kind))
    }

    /// Whether this check may fail.
    pub fn has(self, kind: BugKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    /// Whether something unsupported may be reached.
    pub fn has_unsupported(self) -> bool {
        self & Hazards::UNSUPPORTED != Hazards::NONE
    }

    /// Nothing can go wrong.
    pub fn is_empty(self) -> bool {
        self == Hazards::NONE
    }
}

impl BitOr for Hazards {
    type Output = Hazards;

    fn bitor(self, other: Hazards) -> Hazards {
        Hazards(self.0 | other.0)
    }
}

impl BitAnd for Hazards {
    type Output = Hazards;

    fn bitand(self, other: Hazards) -> Hazards {
        Hazards(self.0 & other.0)
    }
}

/// The path may come to depend on an uninitialised value.
pub(crate) const DECIDES: Hazards = Hazards::of(&[BugKind::Uninitialised]);
/// The checks that only accesses can fail.
const ACCESS: Hazards = Hazards::of(&[BugKind::OutOfBoundsRead, BugKind::OutOfBoundsWrite]);
/// The checks at the normal end of a program.
pub(crate) const NORMAL_END: Hazards = Hazards::of(&[BugKind::Uninitialised, BugKind::Leak]);

/// Computes the hazards of a program's instructions.
pub struct Inspection<'a> {
    program: &'a Program,
    options: &'a Options,
    /// The hazards that the options allow at all.
    possible: Hazards,
    /// The functions that may start an infinite chain of direct calls.
    endless: Vec<bool>,
    /// Some function may return a second time, after `longjmp`.
    returns_twice: bool,
    /// No file defines some variable: an access that is not known to be allowed may be one to it, and is unsupported.
    has_external: bool,
}

impl<'a> Inspection<'a> {
    /// An inspection for a machine with these options.
    pub fn new(program: &'a Program, options: &'a Options) -> Inspection<'a> {
        let is_possible = |kind: &BugKind| match kind {
            BugKind::Uninitialised => options.track_uninit && options.checks(*kind),
            BugKind::Leak => options.check_leak,
            kind => options.checks(*kind),
        };
        let possible: Vec<BugKind> = BugKind::ALL.iter().copied().filter(is_possible).collect();
        Inspection {
            program,
            options,
            possible: Hazards::of(&possible) | Hazards::UNSUPPORTED,
            endless: endless(program),
            returns_twice: program.functions.iter().any(|function| shims::returns(&function.name) == Returns::Twice),
            has_external: program.globals.iter().any(|global| global.external && !global.is_filler()),
        }
    }

    /// The hazards of each instruction of a function.
    pub fn function(&self, id: FuncId) -> Vec<Hazards> {
        let function = &self.program.functions[id.index()];
        let Some(body) = &function.body else { return Vec::new() };
        let mut addresses =
            Addresses::new(self.program, function, body, self.returns_twice, self.options.tuning.definitions);
        let mut hazards = Vec::with_capacity(body.code.len());
        for (index, block) in body.blocks.iter().enumerate() {
            addresses.enter(index);
            for inst in &body.code[block.start as usize..block.end as usize] {
                let mut found = self.instruction(id, body, inst, &addresses);
                if self.has_external && found & ACCESS != Hazards::NONE {
                    found = found | Hazards::UNSUPPORTED;
                }
                hazards.push(found & self.possible);
                addresses.pass(inst);
            }
        }
        hazards
    }

    /// How many calls may be active before a call without hazards can overflow the stack. Such a call leads to no
    /// recursion, so it adds at most one active call per function.
    pub fn safe_depth(&self) -> usize {
        if !self.possible.has(BugKind::StackOverflow) {
            return usize::MAX;
        }
        (self.options.max_frames as usize).saturating_sub(self.program.functions.len())
    }

    fn instruction(&self, id: FuncId, body: &Body, inst: &Inst, addresses: &Addresses<'_>) -> Hazards {
        match *inst {
            Inst::Move { .. }
            | Inst::Un { .. }
            | Inst::Cmp { .. }
            | Inst::Cast { .. }
            | Inst::Select { .. }
            | Inst::PtrAdd { .. }
            | Inst::UnWide { .. }
            | Inst::CmpWide { .. }
            | Inst::CastWide { .. }
            | Inst::Float { .. }
            | Inst::FloatUn { .. }
            | Inst::FloatCmp { .. }
            | Inst::FloatCast { .. }
            | Inst::FusedMulAdd { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::ObjectSize { .. }
            | Inst::StackSave { .. }
            | Inst::StackRestore { .. }
            | Inst::Jump { .. } => Hazards::NONE,
            Inst::Bin { op, width, b, .. } if divides(op) => division(op, width, addresses.constant(b)),
            Inst::Bin { .. } => Hazards::NONE,
            Inst::BinWide { op, .. } if divides(op) => Hazards::of(&[BugKind::DivisionByZero]),
            Inst::BinWide { .. } => Hazards::NONE,
            Inst::LongDouble { .. } | Inst::Unsupported { .. } => Hazards::UNSUPPORTED,
            Inst::Load { addr, bytes, .. } => addresses.hazards(addr, Some(u64::from(bytes)), Access::Read),
            Inst::Store { addr, bytes, .. } => addresses.hazards(addr, Some(u64::from(bytes)), Access::Write),
            Inst::MemCopy { dst, src, len } => {
                let len = addresses.constant(len);
                addresses.hazards(src, len, Access::Read) | addresses.hazards(dst, len, Access::Write)
            }
            Inst::MemSet { dst, len, .. } => addresses.hazards(dst, addresses.constant(len), Access::Write),
            Inst::VaCopy { dst, src } => {
                let len = Some(VA_LIST_SIZE);
                addresses.hazards(src, len, Access::Read) | addresses.hazards(dst, len, Access::Write)
            }
            // It also reads variable arguments that were passed by value, through any pointer.
            Inst::VaStart { .. } => address::READ | address::WRITE,
            Inst::Alloca { info, .. } => {
                let size = addresses.size_of(&body.allocas[info.index()]);
                // Calls without recursion are hardly nested deeper than this; recursive ones may overflow the stack
                // anyway.
                let fits = size.is_some_and(|size| size <= self.options.max_stack / self.options.tuning.nested_calls);
                if fits { Hazards::NONE } else { Hazards::of(&[BugKind::StackOverflow]) }
            }
            Inst::Call { info } => self.call(id, &body.calls[info.index()], addresses),
            Inst::Assume { .. } | Inst::Unreachable => Hazards::of(&[BugKind::Unreachable]),
            Inst::Branch { cond, .. } => self.decides(cond, addresses),
            Inst::Switch { value, .. } => self.decides(value, addresses),
            Inst::IndirectJump { .. } => Hazards::of(&[BugKind::BadCall]),
            Inst::Return { .. } if self.program.entry == Some(id) => NORMAL_END,
            Inst::Return { .. } => Hazards::NONE,
        }
    }

    fn decides(&self, operand: Operand, addresses: &Addresses<'_>) -> Hazards {
        if addresses.constant(operand).is_some() { Hazards::NONE } else { DECIDES }
    }

    fn call(&self, caller: FuncId, call: &Call, addresses: &Addresses<'_>) -> Hazards {
        let callee = match call.callee {
            Callee::Direct(callee) => callee,
            // The C library calls only the program's destructors here, whose addresses come from the machine.
            Callee::Indirect(_) if self.program.runs_destructors(caller) => return Hazards::NONE,
            Callee::Indirect(_) => return Hazards::ANY,
        };
        let function = &self.program.functions[callee.index()];
        if function.body.is_none() {
            let slots = call.args.iter().flat_map(|arg| (0..arg.slots.len() as u32).map(|slot| arg.value.offset(slot)));
            let slots: Vec<Operand> = slots.collect();
            let Some(shim) = shims::find(&function.name) else { return Hazards::UNSUPPORTED };
            // Through another prototype, arguments are not where the shim's hazards look for them.
            return match shim.signature() {
                Some(signature) if !fits(&call.args, &signature.params) => Hazards::ANY,
                _ => shim.hazards(&slots, addresses),
            };
        }
        let mut hazards = Hazards::NONE;
        if self.endless[callee.index()] {
            hazards = Hazards::of(&[BugKind::StackOverflow]);
        }
        if !fits(&call.args, &function.params) {
            hazards = hazards | Hazards::of(&[BugKind::BadCall]);
        }
        for (argument, parameter) in call.args.iter().zip(&function.params) {
            if let Some((size, _)) = parameter.by_value.or(argument.by_value) {
                hazards = hazards | addresses.hazards(argument.value, Some(size), Access::Read);
            }
        }
        hazards
    }
}

fn divides(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}

fn division(op: BinOp, width: u8, divisor: Option<u64>) -> Hazards {
    let overflows = matches!(op, BinOp::SDiv | BinOp::SRem) && matches!(width, 32 | 64);
    match divisor {
        Some(0) => Hazards::of(&[BugKind::DivisionByZero]),
        Some(divisor) if overflows && divisor == mask(width) => Hazards::of(&[BugKind::DivisionOverflow]),
        Some(_) => Hazards::NONE,
        None if overflows => Hazards::of(&[BugKind::DivisionByZero, BugKind::DivisionOverflow]),
        None => Hazards::of(&[BugKind::DivisionByZero]),
    }
}

/// The functions that may start an infinite chain of direct calls. Functions that call only functions without such a
/// chain are removed until none is left to remove. A call through a pointer is a hazard by itself.
fn endless(program: &Program) -> Vec<bool> {
    let mut callers = vec![Vec::new(); program.functions.len()];
    let mut left: Vec<usize> = vec![0; program.functions.len()];
    for (index, function) in program.functions.iter().enumerate() {
        for call in function.body.iter().flat_map(|body| &body.calls) {
            if let Callee::Direct(callee) = call.callee {
                callers[callee.index()].push(index);
                left[index] += 1;
            }
        }
    }
    let mut taken: Vec<usize> = (0..left.len()).filter(|index| left[*index] == 0).collect();
    while let Some(index) = taken.pop() {
        for caller in &callers[index] {
            left[*caller] -= 1;
            if left[*caller] == 0 {
                taken.push(*caller);
            }
        }
    }
    left.into_iter().map(|calls| calls > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_the_kinds_it_was_built_from() {
        let kinds = [BugKind::Assertion, BugKind::NullPointer, BugKind::StackOverflow];
        assert_eq!(Hazards::of(&kinds).kinds().collect::<Vec<_>>(), kinds);
        assert!(!Hazards::of(BugKind::ALL).has_unsupported(), "no kind may share its bit");
        assert!(Hazards::NONE.is_empty() && !Hazards::UNSUPPORTED.is_empty());
    }

    #[test]
    fn the_hazards_of_a_division_depend_on_its_divisor() {
        let zero = Hazards::of(&[BugKind::DivisionByZero]);
        let overflow = Hazards::of(&[BugKind::DivisionOverflow]);
        assert_eq!(division(BinOp::SDiv, 32, Some(7)), Hazards::NONE);
        assert_eq!(division(BinOp::SDiv, 32, Some(0)), zero);
        assert_eq!(division(BinOp::SRem, 32, Some(0xffff_ffff)), overflow);
        assert_eq!(division(BinOp::UDiv, 32, Some(0xffff_ffff)), Hazards::NONE);
        // Narrower divisions are done in 32 bits.
        assert_eq!(division(BinOp::SDiv, 16, Some(0xffff)), Hazards::NONE);
        assert_eq!(division(BinOp::URem, 64, None), zero);
        assert_eq!(division(BinOp::SDiv, 64, None), zero | overflow);
    }
}
