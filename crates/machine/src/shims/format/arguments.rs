//! The arguments of a format, in order or by their numbers.

use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

use super::template::{Amount, Item, Length, Position, Template};
use super::va_list::VaList;

/// What a format gets.
pub(super) struct GivenArguments {
    /// From the next argument on; if they are numbered, from the first.
    list: VaList,
    template: Template,
    /// The kinds of the arguments, once a numbered one was asked for.
    kinds: Option<Vec<Kind>>,
    /// From the numbered argument on that was read last.
    numbered: Option<VaList>,
}

/// How an argument is passed.
#[derive(Clone, Copy, Default)]
enum Kind {
    #[default]
    Integer,
    Double,
    LongDouble,
}

/// The most arguments that may be numbered, as POSIX allows at least 9.
const MOST_NUMBERED: u32 = 4096;

impl GivenArguments {
    pub(super) fn new(
        machine: &mut Machine,
        state: &mut State,
        template: &Template,
        list: Value,
    ) -> StepResult<GivenArguments> {
        let list = VaList::new(machine, state, list)?;
        Ok(GivenArguments { list, template: template.clone(), kinds: None, numbered: None })
    }

    pub(super) fn integer(&mut self, machine: &mut Machine, state: &mut State, at: Position) -> StepResult<Value> {
        self.at(machine, state, at)?.next_integer(machine, state)
    }

    pub(super) fn double(&mut self, machine: &mut Machine, state: &mut State, at: Position) -> StepResult<Value> {
        self.at(machine, state, at)?.next_double(machine, state)
    }

    /// A `long double`, made concrete.
    pub(super) fn long_double(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        at: Position,
    ) -> StepResult<(u64, u64)> {
        self.at(machine, state, at)?.next_long_double(machine, state)
    }

    /// The list from an argument on.
    fn at(&mut self, machine: &mut Machine, state: &mut State, position: Position) -> StepResult<&mut VaList> {
        let Some(position) = position else { return Ok(&mut self.list) };
        let kinds = match self.kinds.take() {
            Some(kinds) => kinds,
            None => kinds(machine, state, self.template.clone())?,
        };
        // Numbered arguments never move the list itself.
        let mut list = self.list.clone();
        for kind in self.kinds.insert(kinds).iter().take(position as usize - 1) {
            match kind {
                Kind::Integer => drop(list.next_integer(machine, state)?),
                Kind::Double => drop(list.next_double(machine, state)?),
                Kind::LongDouble => drop(list.next_long_double(machine, state)?),
            }
        }
        Ok(self.numbered.insert(list))
    }
}

/// The kinds of numbered arguments; those that no conversion names are integers. Nothing if there are no numbers.
fn kinds(machine: &mut Machine, state: &mut State, mut template: Template) -> StepResult<Vec<Kind>> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut is_mixed = false;
    loop {
        let spec = match template.next(machine, state)? {
            Item::Literal(_) => continue,
            Item::Conversion(spec) => spec,
            Item::End => break,
        };
        let kind = match (spec.format.conversion, spec.length) {
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', Length::LongDouble) => Kind::LongDouble,
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', _) => Kind::Double,
            _ => Kind::Integer,
        };
        let amounts = [spec.width, spec.precision].into_iter().flatten().filter_map(|amount| match amount {
            Amount::Argument(position) => Some((position, Kind::Integer)),
            Amount::Given(_) => None,
        });
        let takes_none = matches!(spec.format.conversion, b'%' | b'm');
        for (position, kind) in amounts.chain((!takes_none).then_some((spec.position, kind))) {
            match position {
                Some(position @ 1..=MOST_NUMBERED) => {
                    kinds.resize(kinds.len().max(position as usize), Kind::default());
                    kinds[position as usize - 1] = kind;
                }
                Some(_) => return Err(machine.unsupported(state, "a printf argument with a number above 4096")),
                None => is_mixed = true,
            }
        }
    }
    if is_mixed && !kinds.is_empty() {
        return Err(machine.unsupported(state, "a printf format with numbered and other arguments"));
    }
    Ok(kinds)
}
