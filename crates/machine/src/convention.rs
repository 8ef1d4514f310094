//! The x86-64 Linux calling convention: where arguments and results are passed, and what a call through another
//! prototype reads there.
//!
//! In C, a function may be called with the wrong prototype: through a converted pointer, or after a declaration without
//! parameters. The language leaves the behaviour undefined, but the calling convention determines it: a parameter is
//! whatever is in the register or stack slot where the callee expects it. So the low bits of a wider integer arrive,
//! surplus arguments are ignored, and floating-point arguments do not displace integers.

use secateur_program::{Argument, Function, Param, SlotType};
use smallvec::SmallVec;

use crate::end::BugKind;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::unwritten_bits::UnwrittenBits;
use crate::value::{Value, mask, signed};

/// The end of the six integer registers, 8 bytes each.
pub(crate) const INTEGERS_END: u64 = 48;
/// The end of the eight vector registers that follow, 16 bytes each.
pub(crate) const REGISTERS_END: u64 = 176;

/// Where the next argument of each class goes. Register offsets are those of `va_list`.
pub(crate) struct Layout {
    pub(crate) integer: u64,
    pub(crate) vector: u64,
    pub(crate) memory: u64,
}

/// Where one argument goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentLocation {
    Registers(u64),
    Memory(u64),
}

impl ArgumentLocation {
    fn offset(self, bytes: u64) -> ArgumentLocation {
        match self {
            ArgumentLocation::Registers(start) => ArgumentLocation::Registers(start + bytes),
            ArgumentLocation::Memory(start) => ArgumentLocation::Memory(start + bytes),
        }
    }
}

impl Layout {
    pub(crate) fn new() -> Layout {
        Layout { integer: 0, vector: INTEGERS_END, memory: 0 }
    }

    /// Assigns a location to a value that is not passed as a copy in memory.
    pub(crate) fn place(&mut self, slots: &[SlotType]) -> ArgumentLocation {
        if slots.iter().all(is_float) && self.vector < REGISTERS_END {
            self.vector += 16;
            return ArgumentLocation::Registers(self.vector - 16);
        }
        let needed = 8 * slots.len() as u64;
        let is_long_double = slots.contains(&SlotType::F80Low);
        if !slots.iter().any(is_float) && !is_long_double && self.integer + needed <= INTEGERS_END {
            self.integer += needed;
            return ArgumentLocation::Registers(self.integer - needed);
        }
        let align = if matches!(slots.first(), Some(SlotType::F80Low | SlotType::WideLow)) { 16 } else { 8 };
        self.in_memory(size_of(slots), align)
    }

    pub(crate) fn in_memory(&mut self, size: u64, align: u64) -> ArgumentLocation {
        let start = self.memory.next_multiple_of(align.max(8));
        self.memory = start + size.next_multiple_of(8);
        ArgumentLocation::Memory(start)
    }

    /// Assigns a location to a value, or to the copy of the object that it points to.
    fn place_any(&mut self, slots: &[SlotType], by_value: Option<(u64, u32)>) -> ArgumentLocation {
        match by_value {
            Some((size, align)) => self.in_memory(size, u64::from(align)),
            None => self.place(slots),
        }
    }
}

/// Whether a slot is passed in a vector register.
pub(crate) fn is_float(slot: &SlotType) -> bool {
    matches!(slot, SlotType::F32 | SlotType::F64)
}

/// The size of an argument in memory, in bytes.
fn size_of(slots: &[SlotType]) -> u64 {
    if slots.contains(&SlotType::F80Low) { 16 } else { slots.iter().map(|slot| bytes_of(*slot)).sum() }
}

pub(crate) fn bytes_of(slot: SlotType) -> u64 {
    u64::from(slot.width().div_ceil(8).next_power_of_two())
}

/// The distance from one slot of a value to the next: vector lanes are packed; other slots take 8 bytes each.
pub(crate) fn stride(slots: &[SlotType], slot: SlotType) -> u64 {
    if slots.iter().all(is_float) { bytes_of(slot) } else { 8 }
}

/// Whether a call passes the callee's parameters as declared, possibly followed by more arguments.
#[inline]
pub(crate) fn fits(args: &[Argument], params: &[Param]) -> bool {
    args.len() >= params.len()
        && params.iter().zip(args).all(|(param, arg)| {
            same_slots(&param.slots, &arg.slots)
                && param.by_value.map(|(size, _)| size) == arg.by_value.map(|(size, _)| size)
        })
}

/// Whether two values have the same slots, where a pointer equals a 64-bit integer.
#[inline]
pub(crate) fn same_slots(a: &[SlotType], b: &[SlotType]) -> bool {
    let integer = |slot: SlotType| if slot == SlotType::Ptr { SlotType::Int(64) } else { slot };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| integer(*a) == integer(*b))
}

/// One slot of an argument that was passed.
struct Passed {
    location: ArgumentLocation,
    slot: SlotType,
    value: Value,
    signed: bool,
    /// If the slot is the address of an object passed by value: the object's size.
    by_value: Option<u64>,
}

impl Machine {
    /// The slots of a function's parameters, read where the call has put its arguments. A parameter for which nothing
    /// was passed is a bug: it would be whatever the register happens to hold.
    #[cold]
    pub(crate) fn conform(
        &mut self,
        state: &State,
        name: &str,
        params: &[Param],
        args: &[Argument],
        values: &[Value],
    ) -> StepResult<SmallVec<[Value; 8]>> {
        let passed = passed(args, values);
        let mut layout = Layout::new();
        let mut slots = SmallVec::new();
        for (index, param) in params.iter().enumerate() {
            let mut location = layout.place_any(&param.slots, param.by_value);
            for slot in &param.slots {
                let size = param.by_value.map(|(size, _)| size);
                let found = passed.iter().find(|passed| {
                    passed.location == location
                        && passed.by_value.is_some() == size.is_some()
                        && passed.by_value >= size
                });
                let Some(found) = found else {
                    let message = if args.len() < params.len() {
                        let (takes, given) = (count(params.len()), args.len());
                        format!("`{name}` takes {takes} and is called with {given}")
                    } else {
                        format!(
                            "parameter {} of `{name}` has another type in the call, which passes nothing for it",
                            index + 1
                        )
                    };
                    return Err(self.bug(state, BugKind::BadCall, message));
                };
                slots.push(self.resize(found.value, found.slot, *slot, found.signed));
                location = location.offset(stride(&param.slots, *slot));
            }
        }
        Ok(slots)
    }

    /// What a caller that expects `expected` reads where a function has put its result. What is not there is
    /// unspecified.
    #[cold]
    pub(crate) fn conform_result(
        &mut self,
        result: Option<&Argument>,
        values: &[Value],
        expected: &[SlotType],
    ) -> SmallVec<[Value; 4]> {
        let types: &[SlotType] = result.map_or(&[], |result| &result.slots);
        let is_signed = result.is_some_and(|result| result.signed);
        // Integers, floating-point numbers and `long double`s are returned in separate registers, each class in order.
        let mut used = [0; 3];
        let mut found = SmallVec::new();
        for slot in expected {
            let class = class(slot);
            let mut same = types.iter().zip(values).filter(|(kind, _)| self::class(kind) == class);
            let here = same.nth(used[class]).map(|(kind, value)| (*kind, *value));
            used[class] += 1;
            found.push(match here {
                None => Value::ZERO.tainted(self.options.track_uninit),
                Some((kind, value)) => {
                    let resized = self.resize(value, kind, *slot, is_signed);
                    // A function that returns less than 32 bits leaves the upper bits undefined.
                    let rest = slot.width().min(32).div_ceil(8);
                    let undefined = mask(rest * 8) & !mask(kind.width().div_ceil(8).min(rest) * 8);
                    if self.options.track_uninit {
                        let bits = self.unwritten.bits(resized.unwritten) | undefined;
                        Value { unwritten: self.unwritten.number(bits, slot.width()), ..resized }
                    } else {
                        resized
                    }
                }
            });
        }
        found
    }

    /// Reads as `to` what was passed as `from`. The caller extends less than 32 bits to 32 according to their type, and
    /// writing the low 32 bits of a register clears the upper ones.
    pub(crate) fn resize(&mut self, value: Value, from: SlotType, to: SlotType, is_signed: bool) -> Value {
        let (from, to) = (from.width(), to.width());
        let resized = |bits: u64| {
            let narrow = bits & mask(from);
            (if is_signed && from < 32 { signed(narrow, from) as u64 & mask(32) } else { narrow }) & mask(to)
        };
        let unwritten = match value.unwritten {
            UnwrittenBits::NONE => UnwrittenBits::NONE,
            some => self.unwritten.number(resized(self.unwritten.bits(some)), to),
        };
        let Some(expr) = value.expr else {
            return Value { bits: resized(value.bits), expr: None, unwritten };
        };
        // A shim's result may have fewer bits than its type.
        let from = self.pool.width(expr).min(from);
        let result = if to <= from {
            self.pool.extract(expr, 0, to)
        } else if is_signed && from < 32 {
            let extended = self.pool.sext(expr, to.min(32));
            self.pool.zext(extended, to)
        } else {
            self.pool.zext(expr, to)
        };
        Value { unwritten, ..self.value(result) }
    }
}

/// The slots of all arguments of a call, each with its location.
fn passed(args: &[Argument], values: &[Value]) -> Vec<Passed> {
    let mut layout = Layout::new();
    let mut values = values.iter();
    let mut passed = Vec::new();
    for argument in args {
        let mut location = layout.place_any(&argument.slots, argument.by_value);
        for (slot, value) in argument.slots.iter().zip(&mut values) {
            let by_value = argument.by_value.map(|(size, _)| size);
            passed.push(Passed { location, slot: *slot, value: *value, signed: argument.signed, by_value });
            location = location.offset(stride(&argument.slots, *slot));
        }
    }
    passed
}

/// The class of registers in which a slot is returned.
fn class(slot: &SlotType) -> usize {
    match slot {
        SlotType::Int(_) | SlotType::Ptr | SlotType::WideLow | SlotType::WideHigh(_) => 0,
        SlotType::F32 | SlotType::F64 => 1,
        SlotType::F80Low | SlotType::F80High => 2,
    }
}

fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".to_string() } else { format!("{arguments} arguments") }
}

/// A parameter with these slots, for shims.
pub(crate) fn parameter(slots: &[SlotType]) -> Param {
    Param { name: "".into(), slots: slots.into(), by_value: None }
}

/// The arguments after the named ones, each with the values of its slots.
pub(crate) fn variable_arguments(
    function: &Function,
    args: &[Argument],
    values: &[Value],
) -> Option<crate::frame::VariableArguments> {
    if !function.variadic || args.len() <= function.params.len() {
        return None;
    }
    let (named, extra) = args.split_at(function.params.len());
    let mut position = named.iter().map(|argument| argument.slots.len()).sum::<usize>();
    let extra = extra.iter().map(|argument| {
        let values = values[position..position + argument.slots.len()].to_vec();
        position += argument.slots.len();
        (argument.clone(), values)
    });
    Some(extra.collect())
}
