//! Lowers the inline assembly that compilers and common headers emit: barriers, hints, searches for bits, products of
//! double width, sums and differences with a carry, swapped bytes. Anything else is unsupported, by its text.

use super::function::Builder;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;

impl<'m> Builder<'_, 'm> {
    pub(super) fn inline_asm(&mut self, inst: Value<'m>, asm: Value<'m>) -> Lowered<()> {
        let (text, constraints) = asm.inline_asm().unwrap_or_default();
        let unsupported = || Unsupported::new(format!("inline assembly `{}`", text.trim()));
        let statements = statements(&text).ok_or_else(unsupported)?;
        if statements.is_empty() && inst.ty().is_void() {
            return Ok(());
        }
        // What is not understood must leave no instructions behind.
        let places = places(&constraints).ok_or_else(unsupported)?;
        let plan: Vec<Step> =
            statements.iter().map(|text| step(text)).collect::<Option<_>>().ok_or_else(unsupported)?;
        let shape = self.shape(inst.ty())?;
        let widths: Vec<u32> = shape.slots.iter().map(|slot| u32::from(slot.width())).collect();
        let mut registers = Registers::new(&places, &widths, &inst.arguments()).ok_or_else(unsupported)?;
        if !plan.iter().all(|step| registers.has(step)) {
            return Err(unsupported());
        }
        for (location, argument) in registers.given.clone() {
            registers.values[location] = Some(self.operand(argument)?);
        }
        for step in &plan {
            self.run(&mut registers, step);
        }
        if inst.ty().is_void() {
            return Ok(());
        }
        // A register that nobody has written holds anything.
        let parts: Option<Vec<Operand>> = (0..widths.len()).map(|output| registers.values[output]).collect();
        self.gather(inst, &parts.ok_or_else(unsupported)?)
    }

    fn run(&mut self, registers: &mut Registers<'m>, step: &Step) {
        let width = step.width.unwrap_or_else(|| registers.width_of(step));
        let read = |this: &mut Self, registers: &Registers<'m>, place: &AsmOperand| match place {
            AsmOperand::Immediate(value) => this.int(width, u128::from(*value)),
            _ => {
                let location = registers.location(place);
                let value = location.and_then(|at| registers.values[at]).unwrap_or_else(|| this.int(width, 0));
                let from = location.map_or(width, |at| registers.widths[at]);
                this.resize(false, from, width, value)
            }
        };
        let source = step.operands.first().map(|place| read(self, registers, place));
        let target = step.operands.last().map(|place| read(self, registers, place));
        let (Some(source), Some(target), Some(to)) = (source, target, step.operands.last()) else {
            return;
        };
        match step.what {
            What::Nothing => {}
            What::Move => self.write(registers, to, width, source),
            What::Unary(op) => {
                let result = self.un(op, width, source);
                self.write(registers, to, width, result);
            }
            // Nothing is written if no bit is set.
            What::FindBit { highest } => {
                let op = if highest { UnOp::LeadingZeros } else { UnOp::TrailingZeros };
                let mut found = self.un(op, width, source);
                if highest {
                    let most = self.int(width, u128::from(width - 1));
                    found = self.bin(BinOp::Sub, width, most, found);
                }
                let zero = self.int(width, 0);
                let none = self.cmp(CmpOp::Eq, width, source, zero);
                let result = self.select(width, none, target, found);
                self.write(registers, to, width, result);
            }
            What::Rotate { left } => {
                let back = self.int(width, u128::from(width));
                let back = self.bin(BinOp::Sub, width, back, source);
                let (up, down) = if left { (source, back) } else { (back, source) };
                let high = self.bin(BinOp::Shl, width, target, up);
                let low = self.bin(BinOp::LShr, width, target, down);
                let result = self.bin(BinOp::Or, width, high, low);
                self.write(registers, to, width, result);
            }
            What::Bits(op) => {
                let result = self.bin(op, width, target, source);
                registers.carry = None;
                self.write(registers, to, width, result);
            }
            What::Sum { op, with_carry } => {
                let carry = registers.carry.filter(|_| with_carry);
                let partial = self.bin(op, width, target, source);
                let order = if op == BinOp::Add { CmpOp::Ult } else { CmpOp::Ugt };
                let mut out = self.cmp(order, width, partial, target);
                let mut result = partial;
                if let Some(carry) = carry {
                    let carry = self.cast(CastOp::ZExt, 1, width, carry);
                    result = self.bin(op, width, partial, carry);
                    let again = self.cmp(order, width, result, partial);
                    out = self.bin(BinOp::Or, 1, out, again);
                }
                registers.carry = Some(out);
                self.write(registers, to, width, result);
            }
            What::Product => {
                let factor = read(self, registers, &AsmOperand::Named("ax"));
                let a = self.cast(CastOp::ZExt, width, 2 * width, factor);
                let b = self.cast(CastOp::ZExt, width, 2 * width, source);
                let product = self.bin(BinOp::Mul, 2 * width, a, b);
                let low = self.cast(CastOp::Trunc, 2 * width, width, product);
                let by = self.int(2 * width, u128::from(width));
                let high = self.bin(BinOp::LShr, 2 * width, product, by);
                let high = self.cast(CastOp::Trunc, 2 * width, width, high);
                self.write(registers, &AsmOperand::Named("ax"), width, low);
                self.write(registers, &AsmOperand::Named("dx"), width, high);
            }
        }
    }

    /// Writes to a register. As in the processor, 32 bits clear what is above them and 16 bits do not.
    fn write(&mut self, registers: &mut Registers<'m>, place: &AsmOperand, width: u32, value: Operand) {
        let Some(location) = registers.location(place) else { return };
        let whole = registers.widths[location];
        let mut value = self.resize(false, width, whole, value);
        if width < 32 && whole > width {
            let old = registers.values[location].unwrap_or_else(|| self.int(whole, 0));
            let above = self.int(whole, !0 << width);
            let kept = self.bin(BinOp::And, whole, old, above);
            value = self.bin(BinOp::Or, whole, kept, value);
        }
        registers.values[location] = Some(value);
    }
}

/// The statements of a text, without comments, in the syntax of AT&T.
fn statements(text: &str) -> Option<Vec<String>> {
    // Where both syntaxes are given, as $(AT&T$|Intel$), the first one counts.
    let mut chosen = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("$(") {
        let (inside, behind) = after.split_once("$)")?;
        chosen.push_str(before);
        chosen.push_str(inside.split("$|").next()?);
        rest = behind;
    }
    chosen.push_str(rest);
    let lines = chosen.split(['\n', ';']).map(|line| line.split('#').next().unwrap_or("").trim().to_string());
    Some(lines.filter(|line| !line.is_empty()).collect())
}

/// What an instruction does.
#[derive(Clone, Copy)]
enum What {
    Nothing,
    Move,
    Unary(UnOp),
    FindBit {
        highest: bool,
    },
    Rotate {
        left: bool,
    },
    Bits(BinOp),
    Sum {
        op: BinOp,
        with_carry: bool,
    },
    /// The product of a register and `ax`, in `dx` and `ax`.
    Product,
}

/// One instruction.
struct Step {
    what: What,
    /// In bits; `None` if the last operand says it.
    width: Option<u32>,
    /// The last one is written.
    operands: Vec<AsmOperand>,
}

/// An operand of an instruction.
enum AsmOperand {
    /// An operand of the assembly.
    Operand(usize),
    Named(&'static str),
    Immediate(u64),
}

/// The instructions by name, and how many operands they have. The size may be appended.
const TABLE: &[(&str, usize, What)] = &[
    ("nop", 0, What::Nothing),
    ("pause", 0, What::Nothing),
    ("mfence", 0, What::Nothing),
    ("lfence", 0, What::Nothing),
    ("sfence", 0, What::Nothing),
    ("rep", 0, What::Nothing),
    ("lock", 0, What::Nothing),
    ("mov", 2, What::Move),
    ("bsf", 2, What::FindBit { highest: false }),
    ("bsr", 2, What::FindBit { highest: true }),
    ("tzcnt", 2, What::Unary(UnOp::TrailingZeros)),
    ("lzcnt", 2, What::Unary(UnOp::LeadingZeros)),
    ("popcnt", 2, What::Unary(UnOp::CountOnes)),
    ("bswap", 1, What::Unary(UnOp::SwapBytes)),
    ("rol", 2, What::Rotate { left: true }),
    ("ror", 2, What::Rotate { left: false }),
    ("and", 2, What::Bits(BinOp::And)),
    ("or", 2, What::Bits(BinOp::Or)),
    ("xor", 2, What::Bits(BinOp::Xor)),
    ("add", 2, What::Sum { op: BinOp::Add, with_carry: false }),
    ("adc", 2, What::Sum { op: BinOp::Add, with_carry: true }),
    ("sub", 2, What::Sum { op: BinOp::Sub, with_carry: false }),
    ("sbb", 2, What::Sum { op: BinOp::Sub, with_carry: true }),
    ("mul", 1, What::Product),
];

/// Reads an instruction.
fn step(text: &str) -> Option<Step> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let name = name.replace(['{', '}'], "");
    let nothing = || Step { what: What::Nothing, width: None, operands: Vec::new() };
    // `rep; nop` is a pause, and adding nothing to the top of the stack a barrier.
    if matches!((name.as_str(), rest.trim()), ("rep", "nop")) || is_stack_barrier(text) {
        return Some(nothing());
    }
    let find = |name: &str| TABLE.iter().find(|(known, ..)| *known == name);
    let sizes = [("b", 8), ("w", 16), ("l", 32), ("q", 64)];
    let sized = || {
        let size = |(suffix, width): (&str, u32)| Some((find(name.strip_suffix(suffix)?)?, Some(width)));
        sizes.into_iter().find_map(size)
    };
    let (&(_, count, what), mut width) = find(&name).map(|entry| (entry, None)).or_else(sized)?;
    let mut operands = Vec::new();
    for text in rest.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let (place, own) = operand(text)?;
        width = width.or(own);
        operands.push(place);
    }
    (operands.len() == count).then_some(Step { what, width, operands })
}

/// `addl $0, (%rsp)` and the like, as a barrier.
fn is_stack_barrier(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.trim_start_matches("lock");
    let Some(place) = ["addl$$0,", "addq$$0,", "orl$$0,", "orq$$0,"].iter().find_map(|start| text.strip_prefix(start))
    else {
        return false;
    };
    matches!(place.trim_start_matches(['-', '0', '1', '2', '4', '8']), "(%rsp)" | "(%esp)")
}

/// Reads an operand such as `$1`, `${0:b}` or `$$8`, and the width that it asks for.
fn operand(text: &str) -> Option<(AsmOperand, Option<u32>)> {
    if let Some(value) = text.strip_prefix("$$") {
        let value = match value.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => value.parse().ok()?,
        };
        return Some((AsmOperand::Immediate(value), None));
    }
    let inner = text.strip_prefix('$')?;
    let Some(modified) = inner.strip_prefix('{') else { return Some((AsmOperand::Operand(inner.parse().ok()?), None)) };
    let (number, modifier) = modified.strip_suffix('}')?.split_once(':')?;
    let width = match modifier {
        "b" => 8,
        "w" => 16,
        "k" => 32,
        "q" => 64,
        _ => return None,
    };
    Some((AsmOperand::Operand(number.parse().ok()?), Some(width)))
}

/// Where an operand of the assembly is.
enum Constraint {
    /// A result, in a register that may be given.
    Output(Option<String>),
    /// A value, in the register of an output, a given register or any.
    Tied(usize),
    Input(Option<String>),
}

/// Reads the constraints; `None` if there is memory among them.
fn places(constraints: &str) -> Option<Vec<Constraint>> {
    let mut places = Vec::new();
    // The alternatives of an operand are separated by `|`.
    for part in constraints.split(',').filter(|part| !part.is_empty() && !part.starts_with('~')) {
        if part.contains('*') || part.starts_with('!') || part.contains('@') {
            return None;
        }
        let kind = part.trim_start_matches(['=', '&', '%']);
        let register = kind.strip_prefix('{').and_then(|name| name.strip_suffix('}')).map(|name| {
            let name = name.strip_prefix(['r', 'e']).filter(|rest| rest.len() == 2).unwrap_or(name);
            name.to_string()
        });
        places.push(match (part.starts_with('='), kind.parse()) {
            (true, _) => Constraint::Output(register),
            (false, Ok(output)) => Constraint::Tied(output),
            (false, Err(_)) => Constraint::Input(register),
        });
    }
    Some(places)
}

/// What the registers hold. The first locations are the outputs.
struct Registers<'m> {
    /// The location of each operand of the assembly.
    of_operand: Vec<usize>,
    names: Vec<Option<String>>,
    widths: Vec<u32>,
    values: Vec<Option<Operand>>,
    /// Where the arguments of the assembly are put.
    given: Vec<(usize, Value<'m>)>,
    /// The carry flag, one bit; `None` if it is clear.
    carry: Option<Operand>,
}

impl<'m> Registers<'m> {
    /// Puts the operands into registers; `None` if they are not as described.
    fn new(places: &[Constraint], outputs: &[u32], arguments: &[Value<'m>]) -> Option<Registers<'m>> {
        let mut registers = Registers {
            of_operand: Vec::new(),
            names: Vec::new(),
            widths: Vec::new(),
            values: Vec::new(),
            given: Vec::new(),
            carry: None,
        };
        let mut arguments = arguments.iter();
        for place in places {
            let location = match place {
                Constraint::Output(name) => registers.add(name.clone(), *outputs.get(registers.names.len())?),
                Constraint::Tied(output) => {
                    let argument = *arguments.next()?;
                    let width = argument.ty().int_width().or(argument.ty().is_pointer().then_some(64))?;
                    if registers.widths.get(*output) != Some(&width) {
                        return None;
                    }
                    registers.given.push((*output, argument));
                    *output
                }
                Constraint::Input(name) => {
                    let argument = *arguments.next()?;
                    let width = argument.ty().int_width().or(argument.ty().is_pointer().then_some(64))?;
                    let shared = registers.names.iter().position(|known| name.is_some() && known == name);
                    let location = match shared.filter(|at| registers.widths[*at] == width) {
                        Some(location) => location,
                        None => registers.add(name.clone(), width),
                    };
                    registers.given.push((location, argument));
                    location
                }
            };
            registers.of_operand.push(location);
        }
        let is_usual = registers.widths.iter().all(|width| matches!(width, 8 | 16 | 32 | 64));
        (is_usual && registers.widths.len() >= outputs.len()).then_some(registers)
    }

    fn add(&mut self, name: Option<String>, width: u32) -> usize {
        self.names.push(name);
        self.widths.push(width);
        self.values.push(None);
        self.names.len() - 1
    }

    fn location(&self, place: &AsmOperand) -> Option<usize> {
        match place {
            AsmOperand::Operand(number) => self.of_operand.get(*number).copied(),
            AsmOperand::Named(name) => self.names.iter().position(|known| known.as_deref() == Some(*name)),
            AsmOperand::Immediate(_) => None,
        }
    }

    /// The width of what an instruction works on.
    fn width_of(&self, step: &Step) -> u32 {
        let place = step.operands.last().and_then(|place| self.location(place));
        place.map_or(64, |location| self.widths[location])
    }

    /// Whether the operands of an instruction exist.
    fn has(&self, step: &Step) -> bool {
        let is_known = |place: &AsmOperand| matches!(place, AsmOperand::Immediate(_)) || self.location(place).is_some();
        let fits = |place: &AsmOperand| {
            let width = step.width.unwrap_or_else(|| self.width_of(step));
            self.location(place).is_none_or(|location| self.widths[location] >= width)
        };
        let is_written = step.operands.last().is_none_or(|place| !matches!(place, AsmOperand::Immediate(_)));
        let is_product = matches!(step.what, What::Product);
        let product_has = !is_product || ["ax", "dx"].into_iter().all(|name| is_known(&AsmOperand::Named(name)));
        // The variable that gets the lower bits of what is only written may be narrower.
        let is_overwritten =
            step.operands.len() == 2 && matches!(step.what, What::Move | What::Unary(_) | What::FindBit { .. });
        let read = step.operands.len() - usize::from(is_overwritten);
        step.operands.iter().all(is_known) && step.operands[..read].iter().all(fits) && is_written && product_has
    }
}
