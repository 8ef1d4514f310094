//! Formatted text whose length may depend on the input.
//!
//! Text that only leaves the program is kept as [`Piece`]s and evaluated when it is needed: the way in which a number
//! is printed splits no path and fixes no value. Text that the program may read gets a [fixed](Piece::fix) layout, by
//! decisions on the length of each piece; its characters stay symbolic.

mod integer;

use secateur_expr::{Expr, NativeFn, Number, NumberFormat, Pool, Valuation};

use crate::block::Byte;
use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult};
use crate::memory::Cell;
use crate::state::State;
use crate::value::Value;

pub(crate) use integer::Integer;

/// A part of a text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Bytes of a fixed number.
    Bytes(Vec<Byte>),
    /// An integer that depends on the input.
    Integer(Integer),
    /// A `double` that depends on the input.
    Double(Double),
    /// A string whose end depends on the input.
    Characters(Characters),
}

impl Piece {
    /// Concrete bytes.
    pub(crate) fn concrete(bytes: &[u8]) -> Piece {
        Piece::Bytes(bytes.iter().map(|byte| Byte::Concrete(*byte)).collect())
    }

    /// Its length in bytes, as a 32-bit expression.
    pub(crate) fn length(&self, pool: &mut Pool) -> Expr {
        match self {
            Piece::Bytes(bytes) => pool.constant(32, bytes.len() as u128),
            Piece::Integer(integer) => integer.length(pool),
            Piece::Double(double) => double.length(pool),
            Piece::Characters(characters) => characters.length(pool),
        }
    }

    /// Its bytes under an input.
    pub(crate) fn render(&self, pool: &Pool, input: &mut Valuation) -> Vec<u8> {
        match self {
            Piece::Bytes(bytes) => bytes.iter().map(|byte| evaluated(*byte, pool, input)).collect(),
            Piece::Integer(integer) => integer.render(pool, input),
            Piece::Double(double) => {
                let number = f64::from_bits(input.eval(pool, double.value));
                double.format.print(Number::Double(number))
            }
            Piece::Characters(characters) => characters.render(pool, input),
        }
    }

    /// Decides on its length and returns its bytes, which may still be symbolic.
    pub(crate) fn fix(self, machine: &mut Machine, state: &mut State) -> StepResult<Vec<Byte>> {
        match self {
            Piece::Bytes(bytes) => Ok(bytes),
            Piece::Integer(integer) => integer.fix(machine, state),
            Piece::Double(double) => double.fix(machine, state),
            Piece::Characters(characters) => characters.fix(machine, state),
        }
    }
}

/// The text of a `double`: opaque to the solver, but computable for every input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double {
    format: NumberFormat,
    value: Expr,
}

impl Double {
    /// `None` if the format is too wide for its text to be an expression.
    pub(crate) fn new(format: NumberFormat, value: Expr) -> Option<Double> {
        format.request(None).map(|_| Double { format, value })
    }

    fn ask(self, pool: &mut Pool, byte: Option<u32>) -> Option<Expr> {
        let request = self.format.request(byte)?;
        let request = pool.constant(64, u128::from(request));
        Some(pool.native(NativeFn::Printed, &[self.value, request]))
    }

    fn length(self, pool: &mut Pool) -> Expr {
        match self.ask(pool, None) {
            Some(length) => pool.extract(length, 0, 32),
            None => unreachable!("the constructor checked the format"),
        }
    }

    fn fix(self, machine: &mut Machine, state: &mut State) -> StepResult<Vec<Byte>> {
        let length = self.length(&mut machine.pool);
        let length = machine.pin(state, Value::symbolic(length))?;
        let mut bytes = Vec::new();
        for index in 0..length as u32 {
            let Some(byte) = self.ask(&mut machine.pool, Some(index)) else {
                return Err(machine.unsupported(state, "a floating-point number of more than 131,070 characters"));
            };
            let byte = machine.pool.extract(byte, 0, 8);
            bytes.push(machine.byte_of(byte));
        }
        Ok(bytes)
    }
}

/// The characters of a string up to the first one that is 0, padded with blanks.
#[derive(Clone, Debug)]
pub(crate) struct Characters {
    /// None of the concrete ones is 0.
    pub characters: Vec<Byte>,
    /// The minimum width.
    pub width: u32,
    /// Pad on the right.
    pub minus: bool,
}

impl Characters {
    /// A piece, of fixed length if no character can be the terminator.
    pub(crate) fn piece(self) -> Piece {
        if self.characters.iter().all(|byte| symbolic(*byte).is_none()) {
            return Piece::Bytes(padded(self.characters, self.width, self.minus));
        }
        Piece::Characters(self)
    }

    fn length(&self, pool: &mut Pool) -> Expr {
        let zero = pool.constant(8, 0);
        let mut length = pool.constant(32, self.characters.len() as u128);
        for (index, byte) in self.characters.iter().enumerate().rev() {
            if let Some(byte) = byte_expr(*byte, pool) {
                let ends = pool.eq(byte, zero);
                let here = pool.constant(32, index as u128);
                length = pool.ite(ends, here, length);
            }
        }
        let width = pool.constant(32, u128::from(self.width));
        let padded = pool.ult(length, width);
        pool.ite(padded, width, length)
    }

    fn render(&self, pool: &Pool, input: &mut Valuation) -> Vec<u8> {
        let bytes = self.characters.iter().map(|byte| evaluated(*byte, pool, input));
        let bytes = bytes.take_while(|byte| *byte != 0).map(Byte::Concrete).collect();
        padded(bytes, self.width, self.minus).into_iter().map(|byte| evaluated(byte, pool, input)).collect()
    }

    fn fix(self, machine: &mut Machine, state: &mut State) -> StepResult<Vec<Byte>> {
        let mut shown = Vec::new();
        for byte in self.characters {
            if let Some(expr) = byte_expr(byte, &mut machine.pool) {
                let zero = machine.pool.constant(8, 0);
                let ends = machine.pool.eq(expr, zero);
                if machine.decide_condition(state, DecisionKind::Shape, ends, None)? {
                    break;
                }
            }
            shown.push(byte);
        }
        Ok(padded(shown, self.width, self.minus))
    }
}

/// Pads bytes with blanks on one side.
pub(crate) fn padded(bytes: Vec<Byte>, width: u32, minus: bool) -> Vec<Byte> {
    let blanks = std::iter::repeat_n(Byte::Concrete(b' '), (width as usize).saturating_sub(bytes.len()));
    if minus { bytes.into_iter().chain(blanks).collect() } else { blanks.chain(bytes).collect() }
}

/// The byte of an expression in a byte of memory, if it is symbolic.
fn symbolic(byte: Byte) -> Option<(Expr, u32)> {
    match byte {
        Byte::Concrete(_) | Byte::Uninitialised(_, Cell::NONE, _) => None,
        Byte::Symbolic(cell) | Byte::Uninitialised(_, cell, _) => cell.get(),
    }
}

/// A symbolic byte as an 8-bit expression.
pub(crate) fn byte_expr(byte: Byte, pool: &mut Pool) -> Option<Expr> {
    symbolic(byte).map(|(expr, index)| pool.extract(expr, index as u8 * 8, 8))
}

fn evaluated(byte: Byte, pool: &Pool, input: &mut Valuation) -> u8 {
    match (byte, symbolic(byte)) {
        (_, Some((expr, index))) => (input.eval_wide(pool, expr) >> (index * 8)) as u8,
        (Byte::Concrete(byte) | Byte::Uninitialised(byte, _, _), None) => byte,
        (Byte::Symbolic(_), None) => 0,
    }
}
