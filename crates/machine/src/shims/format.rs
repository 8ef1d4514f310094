//! The core of the `printf` family: formats the values that the current input gives, by the C library's own rules.
//!
//! Text that only leaves the program is not a reason to explore other values. Text that the program may look at fixes the numbers
//! in it, because it is wrong for any other; characters of strings stay symbolic.

use std::ffi::CString;

use secateur_path::ChoiceKey;

use super::Group;
use crate::access::Access;
use crate::block::{Byte, Bytes};
use crate::call::{Arguments, Returned, site};
use crate::decision::{Choice, DecisionKind};
use crate::machine::{Machine, Outcome};
use crate::memory::{Object, ObjectKind};
use crate::state::State;
use crate::value::{Value, signed};

pub(super) const FUNCTIONS: Group = &[("__secateur_format", format_text), ("__secateur_format_output", format_output)];

/// The longest format string.
const FORMAT_LIMIT: usize = 1 << 16;
/// The longest text that one call makes; also bounds widths and precisions.
const TEXT_LIMIT: usize = 1 << 24;

/// What happens to the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is written to a file and not looked at.
    Output,
    /// It is put into the program's memory.
    Memory,
}

fn format_text(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    format(machine, state, arguments, Use::Memory)
}

fn format_output(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    format(machine, state, arguments, Use::Output)
}

/// `int f(char **text, const char *format, va_list arguments)`: `*text` becomes newly allocated memory.
fn format(machine: &mut Machine, state: &mut State, arguments: &Arguments, usage: Use) -> Outcome<Returned> {
    let (target, template, list) = (arguments.get(0), arguments.get(1), arguments.get(2));
    machine.resolve(state, target, 8, Access::Write)?;
    let template = machine.read_string(state, template, FORMAT_LIMIT)?;
    let mut list = VaList::new(machine, state, list)?;
    let mut text = Vec::new();
    let mut rest = template.as_slice();
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        text.extend(rest[..start].iter().map(|byte| Byte::Concrete(*byte)));
        rest = &rest[start + 1..];
        let Some((spec, after)) = Spec::parse(rest) else {
            return Err(machine.unsupported(state, "a malformed or unknown conversion in a printf format"));
        };
        rest = after;
        convert(machine, state, spec, &mut list, usage, &mut text)?;
        if text.len() > TEXT_LIMIT {
            return Err(machine.unsupported(state, "a printf of more than 16 MiB"));
        }
    }
    text.extend(rest.iter().map(|byte| Byte::Concrete(*byte)));
    let len = text.len() as u64;
    text.push(Byte::Concrete(0));
    let origin = state.origin(&machine.program, "formatted text");
    let object = Object::new(len + 1, ObjectKind::Heap, origin, &[], false);
    let id = state.memory.allocate(site(&state.frame), object);
    machine.write_block(state, id, 0, &Bytes::Mixed(text))?;
    machine.store(state, target, Value::concrete(id.address()), 8, 64)?;
    Ok(Returned::Value(Value::concrete(len)))
}

/// A conversion specification.
#[derive(Clone, Copy, Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    group: bool,
    width: Option<Amount>,
    precision: Option<Amount>,
    length: Length,
    conversion: u8,
}

#[derive(Clone, Copy)]
enum Amount {
    Given(i64),
    Argument,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    #[default]
    Int,
    Long,
    LongDouble,
}

impl Spec {
    /// Parses what follows a `%`.
    fn parse(mut text: &[u8]) -> Option<(Spec, &[u8])> {
        let mut spec = Spec::default();
        loop {
            match text.first()? {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                b'\'' => spec.group = true,
                _ => break,
            }
            text = &text[1..];
        }
        spec.width = parse_amount(&mut text)?;
        if text.first() == Some(&b'.') {
            text = &text[1..];
            spec.precision = Some(parse_amount(&mut text)?.unwrap_or(Amount::Given(0)));
        }
        loop {
            spec.length = match (text.first()?, spec.length) {
                (b'h', Length::Short) => Length::Char,
                (b'h', _) => Length::Short,
                (b'l' | b'j' | b'z' | b't' | b'q', _) => Length::Long,
                (b'L', _) => Length::LongDouble,
                _ => break,
            };
            text = &text[1..];
        }
        spec.conversion = *text.first()?;
        Some((spec, &text[1..]))
    }
}

/// A number or `*`; `None` within if there is neither, `None` if the number is absurd.
fn parse_amount(text: &mut &[u8]) -> Option<Option<Amount>> {
    if text.first() == Some(&b'*') {
        *text = &text[1..];
        return Some(Some(Amount::Argument));
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Some(None);
    }
    let number = std::str::from_utf8(&text[..digits]).ok()?.parse::<i64>().ok().filter(|n| *n <= TEXT_LIMIT as i64)?;
    *text = &text[digits..];
    Some(Some(Amount::Given(number)))
}

fn convert(
    machine: &mut Machine,
    state: &mut State,
    spec: Spec,
    list: &mut VaList,
    usage: Use,
    text: &mut Vec<Byte>,
) -> Outcome<()> {
    if spec.conversion == b'%' {
        text.push(Byte::Concrete(b'%'));
        return Ok(());
    }
    let mut minus = spec.minus;
    let mut width = 0;
    if let Some(amount) = spec.width {
        width = amount_value(machine, state, amount, list, usage)?;
        if width < 0 {
            (width, minus) = (-width, true);
        }
    }
    let precision = match spec.precision {
        Some(amount) => Some(amount_value(machine, state, amount, list, usage)?).filter(|precision| *precision >= 0),
        None => None,
    };
    if width > TEXT_LIMIT as i64 || precision.is_some_and(|precision| precision > TEXT_LIMIT as i64) {
        return Err(machine.unsupported(state, "a printf of more than 16 MiB"));
    }
    let long = spec.length == Length::Long || spec.conversion == b'p';
    match spec.conversion {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
            let value = list.next_integer(machine, state)?;
            let bits = fix(machine, state, value, usage)?;
            let number = match (spec.length, matches!(spec.conversion, b'd' | b'i')) {
                (Length::Char, true) => i64::from(bits as i8),
                (Length::Char, false) => i64::from(bits as u8),
                (Length::Short, true) => i64::from(bits as i16),
                (Length::Short, false) => i64::from(bits as u16),
                (_, true) if !long => signed(bits, 32),
                (_, false) if !long => i64::from(bits as u32),
                _ => bits as i64,
            };
            emit(text, c_format(&spec, minus, width, precision, "ll", Number::Integer(number)));
        }
        b'p' => {
            let value = list.next_integer(machine, state)?;
            let bits = fix(machine, state, value, usage)?;
            let shown = if bits == 0 { "(nil)".to_string() } else { format!("{bits:#x}") };
            emit_padded(text, shown.into_bytes().into_iter().map(Byte::Concrete).collect(), width, minus);
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            if spec.length == Length::LongDouble {
                let (low, high) = list.next_long_double(machine, state, usage)?;
                let number = Number::LongDouble(low, high);
                emit(text, c_format(&spec, minus, width, precision, "L", number));
            } else {
                let value = list.next_double(machine, state)?;
                let number = Number::Double(f64::from_bits(fix(machine, state, value, usage)?));
                emit(text, c_format(&spec, minus, width, precision, "", number));
            }
        }
        b'c' => {
            let value = list.next_integer(machine, state)?;
            let byte = match value.expr {
                None => Byte::Concrete(value.bits as u8),
                Some(expr) => {
                    let byte = machine.pool.extract(expr, 0, 8);
                    machine.byte_of(byte)
                }
            };
            emit_padded(text, vec![byte], width, minus);
        }
        b's' => {
            let pointer = list.next_integer(machine, state)?;
            let pointer = fix(machine, state, pointer, usage)?;
            let limit = precision.map_or(TEXT_LIMIT, |precision| precision as usize);
            let shown = if pointer == 0 {
                b"(null)".iter().take(limit).map(|byte| Byte::Concrete(*byte)).collect()
            } else {
                string(machine, state, pointer, limit, usage)?
            };
            emit_padded(text, shown, width, minus);
        }
        b'm' => emit_padded(text, b"Success".iter().map(|byte| Byte::Concrete(*byte)).collect(), width, minus),
        other => {
            return Err(machine.unsupported(state, format!("printf conversion `%{}`", char::from(other))));
        }
    }
    Ok(())
}

fn amount_value(
    machine: &mut Machine,
    state: &mut State,
    amount: Amount,
    list: &mut VaList,
    usage: Use,
) -> Outcome<i64> {
    match amount {
        Amount::Given(number) => Ok(number),
        Amount::Argument => {
            let value = list.next_integer(machine, state)?;
            Ok(signed(fix(machine, state, value, usage)?, 32))
        }
    }
}

/// The concrete value; if the text stays in the program, no other value is allowed from here on.
fn fix(machine: &mut Machine, state: &mut State, value: Value, usage: Use) -> Outcome<u64> {
    match usage {
        Use::Output => Ok(machine.concrete(value)),
        Use::Memory => machine.concretise(state, value),
    }
}

/// The characters of a string; where it ends is what the current input gives.
fn string(machine: &mut Machine, state: &mut State, pointer: u64, limit: usize, usage: Use) -> Outcome<Vec<Byte>> {
    let mut shown = Vec::new();
    while shown.len() < limit {
        let value = machine.load(state, Value::concrete(pointer + shown.len() as u64), 1, 8)?;
        let Some(expr) = value.expr else {
            if value.bits == 0 {
                break;
            }
            shown.push(Byte::Concrete(value.bits as u8));
            continue;
        };
        let ends = machine.eval(expr) == 0;
        if usage == Use::Memory {
            let zero = machine.pool.constant(8, 0);
            let is_end = machine.pool.eq(expr, zero);
            let condition = if ends { is_end } else { machine.pool.not(is_end) };
            machine.decide(state, DecisionKind::Concretisation, |_| {
                (Choice::new(condition, ChoiceKey::Side(ends)), Default::default())
            })?;
            state.concretised = true;
        }
        if ends {
            break;
        }
        shown.push(machine.byte_of(expr));
    }
    Ok(shown)
}

#[derive(Clone, Copy)]
enum Number {
    Integer(i64),
    Double(f64),
    /// The two slots of a `long double`.
    LongDouble(u64, u64),
}

impl Number {
    /// The number as it lies in memory as a variable argument.
    fn bytes(self) -> [u64; 2] {
        match self {
            Number::Integer(number) => [number as u64, 0],
            Number::Double(number) => [number.to_bits(), 0],
            Number::LongDouble(low, high) => [low, high],
        }
    }
}

/// A `va_list` of the x86-64 convention whose registers are used up: all arguments are in memory.
#[repr(C)]
struct NativeVaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow: *const NativeArgument,
    registers: *const u8,
}

#[repr(C, align(16))]
struct NativeArgument([u64; 2]);

// The C library's; the list is passed as a pointer because it is an array of one element in C.
unsafe extern "C" {
    fn vsnprintf(text: *mut u8, size: usize, format: *const libc::c_char, list: *mut NativeVaList) -> libc::c_int;
}

/// Lets the C library format one number.
fn c_format(spec: &Spec, minus: bool, width: i64, precision: Option<i64>, length: &str, number: Number) -> Vec<u8> {
    let mut format = String::from("%");
    let flags = [
        (minus, '-'),
        (spec.plus, '+'),
        (spec.space, ' '),
        (spec.alternate, '#'),
        (spec.zero, '0'),
        (spec.group, '\''),
    ];
    format.extend(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag));
    format.push_str(&format!("{width}"));
    if width == 0 {
        // A width of 0 would read as the flag.
        format.pop();
    }
    if let Some(precision) = precision {
        format.push_str(&format!(".{precision}"));
    }
    format.push_str(length);
    format.push(char::from(spec.conversion));
    let Ok(format) = CString::new(format) else { return Vec::new() };
    let argument = NativeArgument(number.bytes());
    let mut buffer = vec![0u8; 512];
    loop {
        let mut list =
            NativeVaList { gp_offset: 48, fp_offset: 176, overflow: &raw const argument, registers: std::ptr::null() };
        // SAFETY: the buffer has the length that is passed, the format has one conversion, and the list one argument of its type.
        let needed = unsafe { vsnprintf(buffer.as_mut_ptr(), buffer.len(), format.as_ptr(), &raw mut list) };
        let needed = usize::try_from(needed).unwrap_or(0);
        if needed < buffer.len() {
            buffer.truncate(needed);
            return buffer;
        }
        buffer.resize(needed + 1, 0);
    }
}

fn emit(text: &mut Vec<Byte>, bytes: Vec<u8>) {
    text.extend(bytes.into_iter().map(Byte::Concrete));
}

fn emit_padded(text: &mut Vec<Byte>, shown: Vec<Byte>, width: i64, minus: bool) {
    let padding = (width as usize).saturating_sub(shown.len());
    let blanks = std::iter::repeat_n(Byte::Concrete(b' '), padding);
    if minus {
        text.extend(shown);
        text.extend(blanks);
    } else {
        text.extend(blanks);
        text.extend(shown);
    }
}

/// Reads a `va_list` of the x86-64 convention without changing it.
struct VaList {
    gp_offset: u64,
    fp_offset: u64,
    overflow: u64,
    registers: u64,
}

impl VaList {
    fn new(machine: &mut Machine, state: &mut State, address: Value) -> Outcome<VaList> {
        let address = machine.pin(state, address)?;
        let mut field = |offset: u64, bytes: u8| -> Outcome<u64> {
            let value = machine.load(state, Value::concrete(address + offset), bytes, bytes * 8)?;
            machine.pin(state, value)
        };
        Ok(VaList {
            gp_offset: field(0, 4)?,
            fp_offset: field(4, 4)?,
            overflow: field(8, 8)?,
            registers: field(16, 8)?,
        })
    }

    fn next_integer(&mut self, machine: &mut Machine, state: &mut State) -> Outcome<Value> {
        let address = if self.gp_offset < 48 {
            self.gp_offset += 8;
            self.registers + self.gp_offset - 8
        } else {
            self.overflow += 8;
            self.overflow - 8
        };
        machine.load(state, Value::concrete(address), 8, 64)
    }

    fn next_double(&mut self, machine: &mut Machine, state: &mut State) -> Outcome<Value> {
        let address = if self.fp_offset < 176 {
            self.fp_offset += 16;
            self.registers + self.fp_offset - 16
        } else {
            self.overflow += 8;
            self.overflow - 8
        };
        machine.load(state, Value::concrete(address), 8, 64)
    }

    fn next_long_double(&mut self, machine: &mut Machine, state: &mut State, usage: Use) -> Outcome<(u64, u64)> {
        let address = self.overflow.next_multiple_of(16);
        self.overflow = address + 16;
        let low = machine.load(state, Value::concrete(address), 8, 64)?;
        let high = machine.load(state, Value::concrete(address + 8), 2, 16)?;
        Ok((fix(machine, state, low, usage)?, fix(machine, state, high, usage)?))
    }
}
