//! Conditions of a state for people: in terms of the variables of the program, as C writes them.

use secateur_expr::{BinaryOp, Expr, FloatCmp, Node, UnaryOp};
use secateur_program::{FuncId, ObjectId};

use crate::code::Code;
use crate::holes::Hole;
use crate::state::State;

/// Longer conditions are not shown.
const MAX_LENGTH: usize = 100;
/// How deep an expression is shown.
const MAX_DEPTH: u32 = 12;

impl Code<'_> {
    /// A condition of a state; `None` if it is too long, or about something that has no name.
    pub(crate) fn shown(&self, state: &State, condition: Expr) -> Option<String> {
        let text = self.text(state, condition, MAX_DEPTH)?;
        (text.len() <= MAX_LENGTH).then_some(text)
    }

    fn text(&self, state: &State, e: Expr, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let part = |e: Expr| self.text(state, e, depth);
        let width = self.pool.width(e);
        Some(match self.pool.node(e) {
            Node::Const { value, .. } => number(width, value),
            Node::Hole { id, .. } => self.hole_text(state, id, depth)?,
            Node::Unary(UnaryOp::Not, a) if width == 1 => match self.pool.node(a) {
                Node::Binary(op, a, b) if op.is_comparison() => {
                    format!("{} {} {}", part(a)?, opposite(op), part(b)?)
                }
                _ => format!("!({})", part(a)?),
            },
            Node::Unary(UnaryOp::Not, a) => format!("~{}", part(a)?),
            Node::Unary(UnaryOp::Neg, a) => format!("-{}", part(a)?),
            Node::Binary(op, a, b) if op.is_comparison() => format!("{} {} {}", part(a)?, symbol(op, 8), part(b)?),
            Node::Binary(op, a, b) => format!("({} {} {})", part(a)?, symbol(op, width), part(b)?),
            Node::Ite(c, a, b) => format!("({} ? {} : {})", part(c)?, part(a)?, part(b)?),
            // Widths are those of the variables.
            Node::Extract { e, low: 0, .. } | Node::ZExt(e, _) | Node::SExt(e, _) => part(e)?,
            Node::FloatCmp(cmp, a, b) => format!("{} {} {}", part(a)?, float_symbol(cmp)?, part(b)?),
            _ => return None,
        })
    }

    fn hole_text(&self, state: &State, id: u32, depth: u32) -> Option<String> {
        match self.holes.kind(id) {
            Hole::Slot { depth: of, slot } => {
                let function = function_at(state, of);
                let local = self.program.names.slot(function, slot)?;
                let is_here = of == state.depth();
                Some(if is_here { local.name.to_string() } else { format!("{}::{}", self.name(function), local.name) })
            }
            Hole::Load { address, bytes } => {
                let Node::Const { value, .. } = self.pool.node(address) else {
                    return Some(format!("*({})", self.text(state, address, depth)?));
                };
                let object = ObjectId::of(value as u64);
                let global = object.global()?;
                let known = self.program.globals.get(global.index())?;
                let offset = (value as u64).wrapping_sub(object.address());
                let suffix = self
                    .program
                    .names
                    .global(global)
                    .map(|ty| self.program.names.part(ty, offset, u64::from(bytes)).suffix);
                Some(format!("{}{}", known.name, suffix.unwrap_or_default()))
            }
            Hole::Input { .. } => Some("input".to_string()),
            Hole::Free { .. } => None,
        }
    }
}

/// The function of a call that is known.
fn function_at(state: &State, depth: u32) -> FuncId {
    state.callers.get(depth as usize).map_or(state.function, |caller| caller.function)
}

fn number(width: u8, value: u128) -> String {
    if width == 1 {
        return if value == 1 { "true" } else { "false" }.to_string();
    }
    let unused = 128 - u32::from(width);
    ((value << unused) as i128 >> unused).to_string()
}

fn symbol(op: BinaryOp, width: u8) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::UDiv | BinaryOp::SDiv => "/",
        BinaryOp::URem | BinaryOp::SRem => "%",
        BinaryOp::And if width == 1 => "&&",
        BinaryOp::Or if width == 1 => "||",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ult | BinaryOp::Slt => "<",
        BinaryOp::Ule | BinaryOp::Sle => "<=",
    }
}

fn opposite(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "!=",
        BinaryOp::Ult | BinaryOp::Slt => ">=",
        _ => ">",
    }
}

fn float_symbol(cmp: FloatCmp) -> Option<&'static str> {
    Some(match (cmp.less, cmp.equal, cmp.greater) {
        (true, false, false) => "<",
        (true, true, false) => "<=",
        (false, true, false) => "==",
        (false, true, true) => ">=",
        (false, false, true) => ">",
        (true, false, true) => "!=",
        _ => return None,
    })
}
