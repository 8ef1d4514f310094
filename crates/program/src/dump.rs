//! Prints loaded code.

use crate::code::*;
use std::fmt::{self, Display, Formatter};

impl Program {
    /// A function as text.
    pub fn dump(&self, function: FuncId) -> impl Display + '_ {
        Dump { program: self, function: &self.functions[function.index()] }
    }
}

struct Dump<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Display for Dump<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.function;
        write!(f, "fn {}(", function.name)?;
        let mut slot = 0;
        for (index, param) in function.params.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "%{slot}")?;
            if !param.name.is_empty() {
                write!(f, " {}", param.name)?;
            }
            write!(f, ": {}", Types(&param.slots))?;
            if let Some((size, align)) = param.by_value {
                write!(f, " by value {size} align {align}")?;
            }
            slot += param.slots.len();
        }
        if function.variadic {
            f.write_str(if function.params.is_empty() { "..." } else { ", ..." })?;
        }
        f.write_str(")")?;
        if !function.result.is_empty() {
            write!(f, " -> {}", Types(&function.result))?;
        }
        let Some(body) = &function.body else { return writeln!(f) };
        writeln!(f, " {{ {} slots", body.slots)?;
        for (slot, kind) in &body.locals {
            writeln!(f, "  local {slot}: {kind}")?;
        }
        for (index, block) in body.blocks.iter().enumerate() {
            write!(f, "{}", BlockId(index as u32))?;
            if let Some(native) = block.native {
                write!(f, " #{native}")?;
            }
            writeln!(f, ":")?;
            let mut line = LocId(0);
            for pc in block.start..block.end {
                let text = self.inst(body, &body.code[pc as usize]);
                let loc = body.locs.get(pc as usize).copied().unwrap_or(LocId(0));
                if loc != line && loc != LocId(0) {
                    writeln!(f, "  {text:<60} ; {}", self.program.describe(loc))?;
                } else {
                    writeln!(f, "  {text}")?;
                }
                line = loc;
            }
        }
        writeln!(f, "}}")
    }
}

impl Dump<'_> {
    fn inst(&self, body: &Body, inst: &Inst) -> String {
        let o = |operand: Operand| show(body, operand, 1);
        let w = |operand: Operand| show(body, operand, 2);
        let edge = |id: EdgeId| self.edge(body, id);
        match *inst {
            Inst::Move { dst, src } => format!("{dst} = {}", o(src)),
            Inst::Bin { op, width, dst, a, b } => format!("{dst} = {} i{width} {}, {}", lower(op), o(a), o(b)),
            Inst::Un { op, width, dst, a } => format!("{dst} = {} i{width} {}", lower(op), o(a)),
            Inst::Cmp { op, width, dst, a, b } => format!("{dst} = {} i{width} {}, {}", lower(op), o(a), o(b)),
            Inst::Cast { op, from, to, dst, a } => format!("{dst} = {} i{from} {} to i{to}", lower(op), o(a)),
            Inst::Select { width, dst, cond, a, b } => {
                format!("{dst} = select i{width} {}, {}, {}", o(cond), o(a), o(b))
            }
            Inst::PtrAdd { dst, base, index, scale } => format!("{dst} = ptradd {} + {} * {scale}", o(base), o(index)),
            Inst::BinWide { op, width, dst, a, b } => format!("{dst}.. = {} i{width} {}, {}", lower(op), w(a), w(b)),
            Inst::UnWide { op, width, dst, a } => format!("{dst}.. = {} i{width} {}", lower(op), w(a)),
            Inst::CmpWide { op, width, dst, a, b } => format!("{dst} = {} i{width} {}, {}", lower(op), w(a), w(b)),
            Inst::CastWide { op, from, to, dst, a } => {
                let dots = if to > 64 { ".." } else { "" };
                let a = if from > 64 { w(a) } else { o(a) };
                format!("{dst}{dots} = {} i{from} {a} to i{to}", lower(op))
            }
            Inst::Float { op, width, dst, a, b } => format!("{dst} = f{} f{width} {}, {}", lower(op), o(a), o(b)),
            Inst::FloatUn { op, width, dst, a } => format!("{dst} = f{} f{width} {}", lower(op), o(a)),
            Inst::FloatCmp { cmp, width, dst, a, b } => {
                format!("{dst} = fcmp {} f{width} {}, {}", set(cmp), o(a), o(b))
            }
            Inst::FloatCast { op, from, to, dst, a } => {
                let (from, to) = match op {
                    FloatCast::Float => (format!("f{from}"), format!("f{to}")),
                    FloatCast::ToSigned => (format!("f{from}"), format!("s{to}")),
                    FloatCast::ToUnsigned => (format!("f{from}"), format!("u{to}")),
                    FloatCast::FromSigned => (format!("s{from}"), format!("f{to}")),
                    FloatCast::FromUnsigned => (format!("u{from}"), format!("f{to}")),
                };
                format!("{dst} = convert {from} {} to {to}", o(a))
            }
            Inst::FusedMulAdd { width, dst, a, b, c } => format!("{dst} = fma f{width} {}, {}, {}", o(a), o(b), o(c)),
            Inst::LongDouble { op, dst, a, b } => long_double(op, dst, (o(a), w(a)), w(b)),
            Inst::Load { dst, addr, bytes, width } => format!("{dst} = load i{width} {} ({bytes} bytes)", o(addr)),
            Inst::Store { addr, src, bytes, width } => {
                format!("store i{width} {} to {} ({bytes} bytes)", o(src), o(addr))
            }
            Inst::Alloca { dst, info } => {
                let alloca = &body.allocas[info.index()];
                let count = alloca.count.map(|count| format!(" * {}", o(count))).unwrap_or_default();
                format!("{dst} = alloca {}{count} align {} \"{}\"", alloca.element_size, alloca.align, alloca.name)
            }
            Inst::LifetimeEnd { addr } => format!("lifetime end {}", o(addr)),
            Inst::LifetimeStart { addr } => format!("lifetime start {}", o(addr)),
            Inst::MemCopy { dst, src, len } => format!("copy {} bytes from {} to {}", o(len), o(src), o(dst)),
            Inst::MemSet { dst, value, len } => format!("set {} bytes at {} to {}", o(len), o(dst), o(value)),
            Inst::ObjectSize { dst, addr, min } => {
                format!("{dst} = objectsize {} {}", if min { "min" } else { "max" }, o(addr))
            }
            Inst::Call { info } => self.call(body, &body.calls[info.index()]),
            Inst::VaStart { list } => format!("va_start {}", o(list)),
            Inst::VaCopy { dst, src } => format!("va_copy {} to {}", o(src), o(dst)),
            Inst::StackSave { dst } => format!("{dst} = stacksave"),
            Inst::StackRestore { saved } => format!("stackrestore {}", o(saved)),
            Inst::Assume { cond } => format!("assume {}", o(cond)),
            Inst::Jump { edge: to } => format!("jump {}", edge(to)),
            Inst::Branch { cond, then_edge, else_edge, branch } => {
                format!("{} if {} then {} else {}", self.branch(branch), o(cond), edge(then_edge), edge(else_edge))
            }
            Inst::Switch { value, info } => {
                let switch = &body.switches[info.index()];
                let mut text = format!("{} switch i{} {} [", self.branch(switch.branch), switch.width, o(value));
                for (index, (case, target)) in switch.cases.iter().enumerate() {
                    text += &format!("{}{case}: {target}", if index > 0 { ", " } else { "" });
                }
                text += "] to";
                for (index, target) in switch.targets.iter().enumerate() {
                    text += &format!(" {index}: {}", edge(*target));
                }
                text
            }
            Inst::IndirectJump { addr, info } => {
                let targets = body.gotos[info.index()].iter();
                let targets: Vec<String> =
                    targets.map(|(address, to)| format!("{address:#x}: {}", edge(*to))).collect();
                format!("goto {} [{}]", o(addr), targets.join(", "))
            }
            Inst::Return { info } => match &body.returns[info.index()] {
                Some(value) => format!("return {}", show(body, value.value, value.slots.len() as u32)),
                None => "return".to_string(),
            },
            Inst::Unreachable => "unreachable".to_string(),
            Inst::Unsupported { info } => format!("unsupported: {}", body.unsupported[info.index()]),
        }
    }

    fn branch(&self, branch: BranchId) -> String {
        match self.program.branches.get(branch.index()).and_then(|branch| branch.native) {
            Some(native) => format!("{branch}#{native}"),
            None => branch.to_string(),
        }
    }

    fn call(&self, body: &Body, call: &Call) -> String {
        let result = match call.result.len() {
            0 => String::new(),
            1 => format!("{} = ", call.dst),
            _ => format!("{}.. = ", call.dst),
        };
        let callee = match call.callee {
            Callee::Direct(id) => self.program.functions[id.index()].name.to_string(),
            Callee::Indirect(address) => format!("*{}", show(body, address, 1)),
        };
        let args = call.args.iter().map(|arg| {
            let by_value = if arg.by_value.is_some() { " by value" } else { "" };
            format!("{}{by_value}", show(body, arg.value, arg.slots.len() as u32))
        });
        format!("{result}call {callee}({})", args.collect::<Vec<_>>().join(", "))
    }

    fn edge(&self, body: &Body, id: EdgeId) -> String {
        let edge = &body.edges[id.index()];
        if edge.moves.is_empty() {
            return edge.to.to_string();
        }
        let moves = edge.moves.iter().map(|(dst, src)| format!("{dst} = {}", show(body, *src, 1)));
        let order = if edge.sequential { "" } else { "at once " };
        format!("{}({order}{})", edge.to, moves.collect::<Vec<_>>().join(", "))
    }
}

/// An operand; constants as their value.
fn show(body: &Body, operand: Operand, count: u32) -> String {
    let parts: Vec<String> = (0..count)
        .map(|index| match operand.offset(index).kind() {
            OperandKind::Slot(slot) => slot.to_string(),
            OperandKind::Const(index) => match body.consts.get(index as usize) {
                Some(value) if *value < 1 << 16 => value.to_string(),
                Some(value) => format!("{value:#x}"),
                None => "?".to_string(),
            },
        })
        .collect();
    match &parts[..] {
        [part] => part.clone(),
        parts => format!("({})", parts.join(" ")),
    }
}

/// The name of an operation, as in the code, in lower case.
fn lower(op: impl fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}

fn set(cmp: FloatCmp) -> String {
    let parts = [(cmp.less, '<'), (cmp.equal, '='), (cmp.greater, '>'), (cmp.unordered, '?')];
    let text: String = parts.into_iter().filter(|(holds, _)| *holds).map(|(_, sign)| sign).collect();
    if text.is_empty() { "never".to_string() } else { text }
}

fn long_double(op: LongDoubleOp, dst: Slot, (narrow, wide): (String, String), b: String) -> String {
    match op {
        LongDoubleOp::Bin(op) => format!("{dst}.. = f{} f80 {wide}, {b}", lower(op)),
        LongDoubleOp::Un(op) => format!("{dst}.. = f{} f80 {wide}", lower(op)),
        LongDoubleOp::Cmp(cmp) => format!("{dst} = fcmp {} f80 {wide}, {b}", set(cmp)),
        LongDoubleOp::FromFloat(width) => format!("{dst}.. = convert f{width} {narrow} to f80"),
        LongDoubleOp::ToFloat(width) => format!("{dst} = convert f80 {wide} to f{width}"),
        LongDoubleOp::FromSigned(width) => format!("{dst}.. = convert s{width} {narrow} to f80"),
        LongDoubleOp::FromUnsigned(width) => format!("{dst}.. = convert u{width} {narrow} to f80"),
        LongDoubleOp::ToSigned(width) => format!("{dst} = convert f80 {wide} to s{width}"),
        LongDoubleOp::ToUnsigned(width) => format!("{dst} = convert f80 {wide} to u{width}"),
    }
}

/// The types of slots, as in a signature.
struct Types<'a>(&'a [SlotType]);

impl Display for Types<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            [kind] => write!(f, "{kind}"),
            kinds => {
                f.write_str("(")?;
                for (index, kind) in kinds.iter().enumerate() {
                    write!(f, "{}{kind}", if index > 0 { " " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Display for SlotType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SlotType::Int(width) => write!(f, "i{width}"),
            SlotType::Ptr => f.write_str("ptr"),
            SlotType::F32 => f.write_str("f32"),
            SlotType::F64 => f.write_str("f64"),
            SlotType::WideLow => f.write_str("wide.lo"),
            SlotType::WideHigh(width) => write!(f, "wide.hi{width}"),
            SlotType::F80Low => f.write_str("f80.lo"),
            SlotType::F80High => f.write_str("f80.hi"),
        }
    }
}
