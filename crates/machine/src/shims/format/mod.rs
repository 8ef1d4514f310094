//! The core of the `printf` family.
//!
//! Text that only leaves the program is no reason to explore other values: it is kept as pieces, which are evaluated
//! when they are needed. Text that the program may read splits the path by its length; its characters stay symbolic.

mod template;
mod va_list;

use secateur_expr::{Expr, Number, NumberFormat};

use super::Shim;
use crate::access::Access;
use crate::block::{Byte, Bytes};
use crate::call::{Arguments, Returned, lane_key};
use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult, Stop};
use crate::memory::{Object, ObjectKind};
use crate::state::State;
use crate::text::{Characters, Double, Integer, Piece, padded};
use crate::value::{Value, signed};

use template::{Amount, Item, Length, Spec, Template};
use va_list::VaList;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("__secateur_format", format_text),
    Shim::new("__secateur_format_output", format_output),
    Shim::new("__secateur_print", print),
];

/// The longest text of one call; also limits widths and precisions. It is a constant rather than a tuned number because
/// no string that is printed whole may be longer.
const TEXT_LIMIT: usize = 1 << 24;

const EBADF: u64 = 9;

/// `int f(char **text, const char *format, va_list arguments, int errno)`: allocates `*text`. For text that the program
/// may read.
fn format_text(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    machine.resolve(state, arguments.get(0), 8, Access::Write)?;
    let Formatted { pieces, counts } = format(machine, state, arguments)?;
    let mut text = Vec::new();
    let mut marks = Vec::new();
    for piece in pieces {
        machine.check_halt()?;
        marks.push(text.len());
        let fixed = piece.fix(machine, state)?;
        machine.check_halt()?;
        // The text may be long, so it is moved rather than copied if it is the only piece.
        if text.is_empty() { text = fixed } else { text.extend(fixed) }
    }
    marks.push(text.len());
    for count in counts {
        let length = marks[count.pieces] as u64;
        machine.store(state, count.place, Value::concrete(length), count.bytes, count.bytes * 8)?;
    }
    allocate(machine, state, arguments.get(0), text)
}

/// The same for text that goes to the descriptor in a further argument. If it leaves the program there and its length
/// depends on the input, `*text` becomes a null pointer, and [`print()`] must be called instead.
fn format_output(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let descriptor = signed(machine.pin(state, arguments.get(4))?, 32) as i32;
    if state.world.stream(descriptor).is_none() {
        return format_text(machine, state, arguments);
    }
    machine.resolve(state, arguments.get(0), 8, Access::Write)?;
    let Formatted { pieces, counts } = format(machine, state, arguments)?;
    let fixed = pieces.iter().all(|piece| matches!(piece, Piece::Bytes(_)));
    if !fixed || !counts.is_empty() {
        machine.store(state, arguments.get(0), Value::ZERO, 8, 64)?;
        return Ok(Returned::Nothing);
    }
    let bytes = pieces.into_iter().flat_map(|piece| match piece {
        Piece::Bytes(bytes) => bytes,
        _ => Vec::new(),
    });
    allocate(machine, state, arguments.get(0), bytes.collect())
}

/// `int f(int descriptor, const char *format, va_list arguments, int errno, int *failed)`: writes the text and returns
/// its length. `*failed` becomes an error number or 0, so that callers need not decide whether a symbolic length is
/// negative.
fn print(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let descriptor = signed(machine.pin(state, arguments.get(0))?, 32) as i32;
    let Formatted { pieces, counts } = format(machine, state, arguments)?;
    machine.resolve(state, arguments.get(4), 4, Access::Write)?;
    let stream = state.world.stream(descriptor);
    let failed = if stream.is_some() { 0 } else { EBADF };
    machine.store(state, arguments.get(4), Value::concrete(failed), 4, 32)?;
    let Some(stream) = stream else { return Ok(Returned::Nothing) };
    let mut length = machine.pool.constant(32, 0);
    let mut marks = Vec::new();
    for piece in &pieces {
        marks.push(length);
        let part = piece.length(&mut machine.pool);
        length = machine.pool.add(length, part);
    }
    marks.push(length);
    for count in counts {
        let length = widened(machine, marks[count.pieces], count.bytes * 8);
        machine.store(state, count.place, length, count.bytes, count.bytes * 8)?;
    }
    state.output.write_text(stream, pieces);
    Ok(Returned::Value(machine.value(length)))
}

/// A 32-bit length as a number of another width.
fn widened(machine: &mut Machine, length: Expr, width: u8) -> Value {
    let expr = if width > 32 { machine.pool.zext(length, width) } else { machine.pool.extract(length, 0, width) };
    machine.value(expr)
}

fn allocate(machine: &mut Machine, state: &mut State, target: Value, mut text: Vec<Byte>) -> StepResult<Returned> {
    let len = text.len() as u64;
    text.push(Byte::Concrete(0));
    let allocated_at = state.allocation_site(&machine.program, "formatted text");
    let object = Object::new(len + 1, ObjectKind::Heap, allocated_at, &[], false);
    let id = state.memory.allocate(lane_key(&state.frame), object);
    machine.write_block(state, id, 0, &Bytes::Mixed(text))?;
    machine.store(state, target, Value::concrete(id.address()), 8, 64)?;
    Ok(Returned::Value(Value::concrete(len)))
}

/// The result of a format and its arguments.
struct Formatted {
    pieces: Vec<Piece>,
    counts: Vec<Count>,
}

/// A `%n`: where to store the total length of the first `pieces` pieces.
struct Count {
    pieces: usize,
    place: Value,
    bytes: u8,
}

/// Reads the format and its arguments. Changes nothing, and makes all decisions except those on lengths.
fn format(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Formatted> {
    let mut template = Template::new(machine, state, arguments.get(1))?;
    let list = VaList::new(machine, state, arguments.get(2))?;
    let mut conversions = Conversions { list, error: arguments.get(3), pieces: Vec::new(), counts: Vec::new() };
    let mut literal = Vec::new();
    loop {
        match template.next(machine, state)? {
            Item::Literal(byte) => literal.push(byte),
            Item::Conversion(spec) => {
                conversions.flush(&mut literal);
                conversions.convert(machine, state, spec)?;
            }
            Item::End => break,
        }
    }
    conversions.flush(&mut literal);
    Ok(Formatted { pieces: conversions.pieces, counts: conversions.counts })
}

/// The conversions so far.
struct Conversions {
    list: VaList,
    /// The caller's `errno`.
    error: Value,
    pieces: Vec<Piece>,
    counts: Vec<Count>,
}

impl Conversions {
    fn flush(&mut self, literal: &mut Vec<Byte>) {
        if !literal.is_empty() {
            self.pieces.push(Piece::Bytes(std::mem::take(literal)));
        }
    }

    fn convert(&mut self, machine: &mut Machine, state: &mut State, spec: Spec) -> StepResult<()> {
        let (format, length) = (self.complete(machine, state, spec)?, spec.length);
        let piece = match format.conversion {
            b'%' => Piece::concrete(b"%"),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => self.integer(machine, state, format, length)?,
            b'p' => {
                let value = self.list.next_integer(machine, state)?;
                let bits = machine.pin(state, value)?;
                let shown = if bits == 0 { "(nil)".to_string() } else { format!("{bits:#x}") };
                let shown = shown.into_bytes().into_iter().map(Byte::Concrete).collect();
                Piece::Bytes(padded(shown, format.width, format.minus))
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(machine, state, format, length)?,
            b'c' if length == Length::Long => return Err(machine.unsupported(state, "printf conversion `%lc`")),
            b'c' => {
                let value = self.list.next_integer(machine, state)?;
                let byte = match value.expr {
                    None => Byte::Concrete(value.bits as u8),
                    Some(expr) => {
                        let byte = machine.pool.extract(expr, 0, 8);
                        machine.byte_of(byte)
                    }
                };
                Piece::Bytes(padded(vec![byte], format.width, format.minus))
            }
            b's' if length == Length::Long => return Err(machine.unsupported(state, "printf conversion `%ls`")),
            b's' => self.string(machine, state, format)?,
            b'm' => {
                // Only the C library knows the names of other errors.
                if machine.pin(state, self.error)? != 0 {
                    return Err(machine.unsupported(state, "printf conversion `%m` of an error"));
                }
                let shown = b"Success".iter().map(|byte| Byte::Concrete(*byte)).collect();
                Piece::Bytes(padded(shown, format.width, format.minus))
            }
            b'n' => return self.count(machine, state, length),
            other => {
                let other = char::from(other).escape_default();
                return Err(machine.unsupported(state, format!("printf conversion `%{other}`")));
            }
        };
        self.pieces.push(piece);
        Ok(())
    }

    /// The format with its width and precision.
    fn complete(&mut self, machine: &mut Machine, state: &mut State, spec: Spec) -> StepResult<NumberFormat> {
        let mut format = spec.format;
        let mut amount = |amount: Amount| -> StepResult<i64> {
            match amount {
                Amount::Given(number) => Ok(number),
                Amount::Argument => {
                    let value = self.list.next_integer(machine, state)?;
                    let value = narrow(machine, value);
                    Ok(signed(machine.pin(state, value)?, 32))
                }
            }
        };
        let width = spec.width.map_or(Ok(0), &mut amount)?;
        let precision = spec.precision.map(&mut amount).transpose()?.filter(|precision| *precision >= 0);
        format.minus |= width < 0;
        let most = TEXT_LIMIT as i64;
        if width.abs() > most || precision.is_some_and(|precision| precision > most) {
            return Err(too_long(machine, state));
        }
        format.width = width.unsigned_abs() as u32;
        format.precision = precision.map(|precision| precision as u32);
        Ok(format)
    }

    fn integer(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        format: NumberFormat,
        length: Length,
    ) -> StepResult<Piece> {
        let value = self.list.next_integer(machine, state)?;
        let bits = match length {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long | Length::LongDouble => 64,
        };
        let Some(expr) = value.expr else {
            let is_signed = matches!(format.conversion, b'd' | b'i');
            let number = signed(value.bits, bits);
            let number = if is_signed { number } else { (number as u64 & crate::value::mask(bits)) as i64 };
            return Ok(Piece::concrete(&format.print(Number::Integer(number))));
        };
        Ok(Piece::Integer(Integer::new(&mut machine.pool, format, expr, bits)))
    }

    fn float(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        format: NumberFormat,
        length: Length,
    ) -> StepResult<Piece> {
        if length == Length::LongDouble {
            let (low, high) = self.list.next_long_double(machine, state)?;
            return Ok(Piece::concrete(&format.print(Number::LongDouble(low, high))));
        }
        let value = self.list.next_double(machine, state)?;
        if let Some(double) = value.expr.and_then(|expr| Double::new(format, expr)) {
            return Ok(Piece::Double(double));
        }
        let bits = machine.pin(state, value)?;
        Ok(Piece::concrete(&format.print(Number::Double(f64::from_bits(bits)))))
    }

    fn string(&mut self, machine: &mut Machine, state: &mut State, format: NumberFormat) -> StepResult<Piece> {
        let pointer = self.list.next_integer(machine, state)?;
        let limit = format.precision.map_or(TEXT_LIMIT, |precision| precision as usize);
        let null = machine.expr(pointer, 64);
        let zero = machine.pool.constant(64, 0);
        let null = machine.pool.eq(null, zero);
        if machine.decide_condition(state, DecisionKind::Pointer, null, None)? {
            // As in glibc: the word is shown only if all of it fits.
            let shown: &[u8] = if limit >= 6 { b"(null)" } else { b"" };
            let shown = shown.iter().map(|byte| Byte::Concrete(*byte)).collect();
            return Ok(Piece::Bytes(padded(shown, format.width, format.minus)));
        }
        let characters = match limit {
            0 => Vec::new(),
            _ => machine.string(state, pointer, limit)?,
        };
        if format.precision.is_none() && characters.len() == TEXT_LIMIT {
            return Err(too_long(machine, state));
        }
        Ok(Characters { characters, width: format.width, minus: format.minus }.piece())
    }

    fn count(&mut self, machine: &mut Machine, state: &mut State, length: Length) -> StepResult<()> {
        let place = self.list.next_integer(machine, state)?;
        let bytes = match length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long | Length::LongDouble => 8,
        };
        let (object, offset) = machine.fixed_place(state, place, u64::from(bytes), Access::Write)?;
        let place = Value::concrete(object.address() + offset);
        self.counts.push(Count { pieces: self.pieces.len(), place, bytes });
        Ok(())
    }
}

fn too_long(machine: &Machine, state: &State) -> Stop {
    machine.unsupported(state, "a printf of more than 16 MiB")
}

/// An `int` argument; the upper half of its slot is undefined.
fn narrow(machine: &mut Machine, value: Value) -> Value {
    match value.expr {
        None => Value { bits: value.bits & 0xffff_ffff, ..value },
        Some(expr) => {
            let low = machine.pool.extract(expr, 0, 32);
            machine.value(low)
        }
    }
}
