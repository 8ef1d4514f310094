//! Checks that a loaded program is well-formed, so that the machine need not.

use crate::code::*;

/// Checks a program; returns every fault that was found.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut faults = Vec::new();
    check_program(program, &mut faults);
    for (index, function) in program.functions.iter().enumerate() {
        let mut checker = Checker { program, function, id: FuncId(index as u32), faults: &mut faults };
        checker.signature();
        if let Some(body) = &function.body {
            checker.body(body);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn check_program(program: &Program, faults: &mut Vec<String>) {
    let has_function = |id: FuncId| id.index() < program.functions.len();
    let lists = [&program.constructors, &program.destructors].into_iter().flatten();
    for id in lists.chain(&program.entry) {
        if !has_function(*id) {
            faults.push(format!("{id} is run, but does not exist"));
        }
    }
    if program.locations.first() != Some(&Location::default()) {
        faults.push("location 0 is not the unknown one".to_string());
    }
    for (index, location) in program.locations.iter().enumerate() {
        if location.file as usize >= program.files.len() {
            faults.push(format!("loc{index} is in a file that does not exist"));
        }
    }
    for global in &program.globals {
        if global.init.len() as u64 > global.size {
            faults.push(format!("global `{}` has more content than room", global.name));
        }
        if global.size > MAX_OBJECT_SIZE {
            faults.push(format!("global `{}` is too large for its addresses", global.name));
        }
        if !global.align.is_power_of_two() {
            faults.push(format!("global `{}` has an invalid alignment", global.name));
        }
    }
    if program.globals.len() as u64 >= FIRST_FUNCTION_OBJECT - 1 {
        faults.push("there are more globals than addresses".to_string());
    }
    for (index, branch) in program.branches.iter().enumerate() {
        let block = program
            .functions
            .get(branch.function.index())
            .and_then(|function| function.body.as_ref())
            .filter(|body| branch.block.index() < body.blocks.len());
        if block.is_none() || branch.loc.index() >= program.locations.len() || branch.outcomes == 0 {
            faults.push(format!("br{index} does not say where it is"));
        }
    }
    for (index, (source, branch)) in program.source_branches.iter().zip(&program.branches).enumerate() {
        let first = program.branches.get(source.first.index());
        if first.is_none_or(|first| first.outcomes != branch.outcomes) || source.inverted && branch.outcomes != 2 {
            faults.push(format!("br{index} is a copy of another branch, but differs from it"));
        }
    }
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FuncId,
    faults: &'a mut Vec<String>,
}

impl Checker<'_> {
    fn fault(&mut self, what: impl std::fmt::Display) {
        self.faults.push(format!("`{}`: {what}", self.function.name));
    }

    fn signature(&mut self) {
        let function = self.function;
        let params = function.params.iter().flat_map(|param| &param.slots);
        for kind in params.chain(&function.result) {
            if !(1..=64).contains(&kind.width()) {
                self.fault(format_args!("its signature has a slot of {} bits", kind.width()));
            }
        }
        if function.loc.index() >= self.program.locations.len() {
            self.fault("its location does not exist");
        }
    }

    fn body(&mut self, body: &Body) {
        let params: usize = self.function.params.iter().map(|param| param.slots.len()).sum();
        if (body.slots as usize) < params {
            self.fault("it has fewer slots than parameters");
        }
        if body.locs.len() != body.code.len() {
            self.fault("instructions and locations differ in number");
        }
        if body.locs.iter().any(|loc| loc.index() >= self.program.locations.len()) {
            self.fault("an instruction has a location that does not exist");
        }
        for (slot, kind) in &body.locals {
            if slot.0 >= body.slots || (slot.0 as usize) < params || !(1..=64).contains(&kind.width()) {
                self.fault(format_args!("local {slot} is malformed"));
            }
        }
        self.blocks(body);
        for (index, edge) in body.edges.iter().enumerate() {
            self.edge(body, index, edge);
        }
        for (pc, inst) in body.code.iter().enumerate() {
            self.inst(body, pc as u32, inst);
        }
    }

    fn blocks(&mut self, body: &Body) {
        if body.blocks.is_empty() {
            self.fault("it has a body without blocks");
        }
        let mut next = 0;
        for (index, block) in body.blocks.iter().enumerate() {
            if block.start != next || block.end <= block.start || block.end as usize > body.code.len() {
                self.fault(format_args!("bb{index} does not follow the block before it"));
                return;
            }
            next = block.end;
            let code = &body.code[block.start as usize..block.end as usize];
            for (offset, inst) in code.iter().enumerate() {
                let last = offset + 1 == code.len();
                // What follows something unsupported does not run, but is there.
                let is_unsupported = matches!(inst, Inst::Unsupported { .. });
                if inst.is_terminator() != last && !is_unsupported {
                    let pc = block.start as usize + offset;
                    let what = if last { "does not end its block" } else { "ends its block early" };
                    self.fault(format_args!("the instruction at {pc} {what}"));
                }
            }
            if block.successors != body.successors_of(code.last()) {
                self.fault(format_args!("the successors of bb{index} are not those of its terminator"));
            }
        }
        if next as usize != body.code.len() {
            self.fault("there is code after the last block");
        }
    }

    fn edge(&mut self, body: &Body, index: usize, edge: &Edge) {
        match body.blocks.get(edge.to.index()) {
            Some(block) if block.start == edge.pc => {}
            Some(_) => self.fault(format_args!("e{index} does not lead to the start of its block")),
            None => self.fault(format_args!("e{index} leads to a block that does not exist")),
        }
        let mut written = Vec::new();
        for (dst, src) in &edge.moves {
            if dst.0 >= body.slots || !in_range(body, *src, 1) {
                self.fault(format_args!("e{index} moves a slot that does not exist"));
            }
            if edge.sequential && written.iter().any(|slot| Operand::slot(*slot) == *src) {
                self.fault(format_args!("e{index} is not sequential"));
            }
            if written.contains(dst) {
                self.fault(format_args!("e{index} writes {dst} twice"));
            }
            written.push(*dst);
        }
    }

    fn inst(&mut self, body: &Body, pc: u32, inst: &Inst) {
        let mut bad = Vec::new();
        let mut bad_result = None;
        body.accesses(
            inst,
            |operand, count| {
                if !in_range(body, operand, count) {
                    bad.push(operand);
                }
            },
            |slot, count| {
                if count > 0 && u64::from(slot.0) + u64::from(count) > u64::from(body.slots) {
                    bad_result = Some(slot);
                }
            },
        );
        for operand in bad {
            self.fault(format_args!("the instruction at {pc} reads {operand:?}, which does not exist"));
        }
        if let Some(slot) = bad_result {
            self.fault(format_args!("the instruction at {pc} writes {slot}, which does not exist"));
        }
        if let Some(what) = self.malformed(body, inst) {
            self.fault(format_args!("the instruction at {pc} {what}"));
        }
    }

    /// What is wrong with an instruction, other than its operands.
    fn malformed(&self, body: &Body, inst: &Inst) -> Option<&'static str> {
        let narrow = |width: u8| (1..=64).contains(&width);
        let wide = |width: u8| (65..=128).contains(&width);
        let float = |width: u8| width == 32 || width == 64;
        let fits = |bytes: u8, width: u8| (1..=8).contains(&bytes) && narrow(width) && width.div_ceil(8) <= bytes;
        let good = match *inst {
            Inst::Bin { width, .. } | Inst::Cmp { width, .. } | Inst::Select { width, .. } => narrow(width),
            Inst::Un { op: UnOp::SwapBytes, width, .. } => narrow(width) && width % 8 == 0,
            Inst::Un { width, .. } => narrow(width),
            Inst::BinWide { width, .. } | Inst::UnWide { width, .. } | Inst::CmpWide { width, .. } => wide(width),
            Inst::Cast { op, from, to, .. } => narrow(from) && narrow(to) && grows(op, from, to),
            Inst::CastWide { op, from, to, .. } => {
                (wide(from) || wide(to)) && (1..=128).contains(&from) && (1..=128).contains(&to) && grows(op, from, to)
            }
            Inst::Float { width, .. }
            | Inst::FloatUn { width, .. }
            | Inst::FloatCmp { width, .. }
            | Inst::FusedMulAdd { width, .. } => float(width),
            Inst::FloatCast { op, from, to, .. } => match op {
                FloatCast::Float => float(from) && float(to) && from != to,
                FloatCast::ToSigned | FloatCast::ToUnsigned => float(from) && narrow(to),
                FloatCast::FromSigned | FloatCast::FromUnsigned => narrow(from) && float(to),
            },
            Inst::LongDouble { op, .. } => match op {
                LongDoubleOp::FromFloat(width) | LongDoubleOp::ToFloat(width) => float(width),
                LongDoubleOp::FromSigned(width)
                | LongDoubleOp::FromUnsigned(width)
                | LongDoubleOp::ToSigned(width)
                | LongDoubleOp::ToUnsigned(width) => narrow(width),
                LongDoubleOp::Bin(_) | LongDoubleOp::Un(_) | LongDoubleOp::Cmp(_) => true,
            },
            Inst::Load { bytes, width, .. } | Inst::Store { bytes, width, .. } => fits(bytes, width),
            Inst::Alloca { info, .. } => {
                body.allocas.get(info.index()).is_some_and(|alloca| alloca.align.is_power_of_two())
            }
            Inst::Call { info } => return self.malformed_call(body.calls.get(info.index())),
            Inst::Jump { edge } => edge.index() < body.edges.len(),
            Inst::Branch { then_edge, else_edge, branch, .. } => {
                if !self.is_branch(branch, 2) {
                    return Some("is not the branch that it says it is");
                }
                then_edge.index() < body.edges.len() && else_edge.index() < body.edges.len()
            }
            Inst::Switch { info, .. } => return self.malformed_switch(body, body.switches.get(info.index())),
            Inst::IndirectJump { info, .. } => body
                .gotos
                .get(info.index())
                .is_some_and(|targets| targets.iter().all(|(_, edge)| edge.index() < body.edges.len())),
            Inst::Return { info } => {
                let value = body.returns.get(info.index());
                let slots = value.map(|value| value.as_ref().map_or(&[][..], |value| &value.slots));
                if slots.is_some_and(|slots| slots != &*self.function.result) {
                    return Some("returns something else than the function does");
                }
                value.is_some()
            }
            Inst::Unsupported { info } => info.index() < body.unsupported.len(),
            Inst::Move { .. }
            | Inst::PtrAdd { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::LifetimeStart { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::ObjectSize { .. }
            | Inst::VaStart { .. }
            | Inst::VaCopy { .. }
            | Inst::StackSave { .. }
            | Inst::StackRestore { .. }
            | Inst::Assume { .. }
            | Inst::Unreachable => true,
        };
        (!good).then_some("is malformed")
    }

    fn malformed_call(&self, call: Option<&Call>) -> Option<&'static str> {
        let Some(call) = call else { return Some("is malformed") };
        match call.callee {
            Callee::Direct(id) if id.index() >= self.program.functions.len() => {
                Some("calls a function that does not exist")
            }
            _ => None,
        }
    }

    fn malformed_switch(&self, body: &Body, switch: Option<&Switch>) -> Option<&'static str> {
        let Some(switch) = switch else { return Some("is malformed") };
        if !(1..=64).contains(&switch.width) {
            return Some("switches on an invalid width");
        }
        if switch.targets.is_empty() || switch.targets.iter().any(|edge| edge.index() >= body.edges.len()) {
            return Some("has a target that does not exist");
        }
        if !switch.cases.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return Some("has cases out of order");
        }
        if switch.cases.iter().any(|(_, target)| *target as usize >= switch.targets.len()) {
            return Some("has a case without a target");
        }
        if !self.is_branch(switch.branch, switch.targets.len() as u32) {
            return Some("is not the branch that it says it is");
        }
        None
    }

    fn is_branch(&self, branch: BranchId, outcomes: u32) -> bool {
        let branch = self.program.branches.get(branch.index());
        branch.is_some_and(|branch| branch.function == self.id && branch.outcomes == outcomes)
    }
}

fn grows(op: CastOp, from: u8, to: u8) -> bool {
    match op {
        CastOp::ZExt | CastOp::SExt => from < to,
        CastOp::Trunc => from > to,
    }
}

fn in_range(body: &Body, operand: Operand, count: u32) -> bool {
    if count == 0 {
        return true;
    }
    match operand.kind() {
        OperandKind::Slot(slot) => u64::from(slot.0) + u64::from(count) <= u64::from(body.slots),
        OperandKind::Const(index) => index as usize + count as usize <= body.consts.len(),
    }
}
