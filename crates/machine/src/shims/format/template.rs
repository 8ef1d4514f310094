//! Format strings: characters to copy, and conversions.

use secateur_expr::NumberFormat;

use crate::access::Access;
use crate::block::Byte;
use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

use super::TEXT_LIMIT;

/// What comes next in a format string.
pub(super) enum Item {
    /// A character to copy; it may be symbolic, but is neither `%` nor the terminator.
    Literal(Byte),
    /// A conversion.
    Conversion(Spec),
    End,
}

/// A conversion specification.
#[derive(Clone, Copy, Default)]
pub(super) struct Spec {
    /// Flags and conversion; width and precision are in the fields below.
    pub format: NumberFormat,
    pub width: Option<Amount>,
    pub precision: Option<Amount>,
    pub length: Length,
    /// Which argument it shows, counted from 1; `None` for the next one.
    pub position: Position,
}

/// The number of an argument, as in `%2$d`.
pub(super) type Position = Option<u32>;

#[derive(Clone, Copy)]
pub(super) enum Amount {
    Given(i64),
    Argument(Position),
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Length {
    Char,
    Short,
    #[default]
    Int,
    Long,
    LongDouble,
}

/// Reads a format string. Decides whether a symbolic character starts a conversion or ends the string, and which
/// conversion it is.
#[derive(Clone)]
pub(super) struct Template {
    address: u64,
}

impl Template {
    pub(super) fn new(machine: &mut Machine, state: &mut State, pointer: Value) -> StepResult<Template> {
        let (object, offset) = machine.fixed_place(state, pointer, 1, Access::Read)?;
        Ok(Template { address: object.address() + offset })
    }

    pub(super) fn next(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Item> {
        let value = machine.load(state, Value::concrete(self.address), 1, 8)?;
        let case = match value.expr {
            None if value.bits == 0 => 0,
            None if value.bits == u64::from(b'%') => 1,
            None => 2,
            Some(expr) => {
                let [end, percent] = [0, b'%'].map(|byte| {
                    let byte = machine.pool.constant(8, u128::from(byte));
                    machine.pool.eq(expr, byte)
                });
                let either = machine.pool.or(end, percent);
                let literal = machine.pool.not(either);
                machine.decide_case(state, DecisionKind::Shape, &[end, percent, literal])?
            }
        };
        if case == 0 {
            return Ok(Item::End);
        }
        self.address += 1;
        if case == 1 {
            return match self.spec(machine, state)? {
                Some(spec) => Ok(Item::Conversion(spec)),
                None => Err(machine.unsupported(state, "a malformed or unknown conversion in a printf format")),
            };
        }
        Ok(Item::Literal(match value.expr {
            None => Byte::Concrete(value.bits as u8),
            Some(expr) => machine.byte_of(expr),
        }))
    }

    /// What follows a `%`; `None` if it is malformed.
    fn spec(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Option<Spec>> {
        let mut spec = Spec { position: self.position(machine, state)?, ..Spec::default() };
        loop {
            match self.peek(machine, state)? {
                b'-' => spec.format.minus = true,
                b'+' => spec.format.plus = true,
                b' ' => spec.format.space = true,
                b'#' => spec.format.alternate = true,
                b'0' => spec.format.zero = true,
                // Digits are not grouped in the C locale.
                b'\'' => {}
                _ => break,
            }
            self.address += 1;
        }
        let Some(width) = self.amount(machine, state)? else { return Ok(None) };
        spec.width = width;
        if self.peek(machine, state)? == b'.' {
            self.address += 1;
            let Some(precision) = self.amount(machine, state)? else { return Ok(None) };
            spec.precision = Some(precision.unwrap_or(Amount::Given(0)));
        }
        loop {
            spec.length = match (self.peek(machine, state)?, spec.length) {
                (b'h', Length::Short) => Length::Char,
                (b'h', _) => Length::Short,
                (b'l' | b'j' | b'z' | b't' | b'q', _) => Length::Long,
                (b'L', _) => Length::LongDouble,
                _ => break,
            };
            self.address += 1;
        }
        spec.format.conversion = self.peek(machine, state)?;
        if spec.format.conversion == 0 {
            return Ok(None);
        }
        self.address += 1;
        Ok(Some(spec))
    }

    /// A number or `*`: `Some(None)` if there is neither, `None` if the number is too large.
    fn amount(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Option<Option<Amount>>> {
        if self.peek(machine, state)? == b'*' {
            self.address += 1;
            let position = self.position(machine, state)?;
            return Ok(Some(Some(Amount::Argument(position))));
        }
        let number = self.number(machine, state)?;
        Ok(number.is_none_or(|number| number <= TEXT_LIMIT as i64).then_some(number.map(Amount::Given)))
    }

    /// A number with a dollar sign. If there is none, nothing is read.
    fn position(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Position> {
        let start = self.address;
        let number = self.number(machine, state)?.and_then(|number| u32::try_from(number).ok());
        if let Some(number @ 1..) = number
            && self.peek(machine, state)? == b'$'
        {
            self.address += 1;
            return Ok(Some(number));
        }
        self.address = start;
        Ok(None)
    }

    /// A number; one that is too large for anything is just that.
    fn number(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Option<i64>> {
        let mut number: Option<i64> = None;
        while let digit @ b'0'..=b'9' = self.peek(machine, state)? {
            self.address += 1;
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(i64::from(digit - b'0')));
        }
        Ok(number)
    }

    fn peek(&self, machine: &mut Machine, state: &mut State) -> StepResult<u8> {
        let byte = machine.load(state, Value::concrete(self.address), 1, 8)?;
        Ok(machine.pin(state, byte)? as u8)
    }
}
