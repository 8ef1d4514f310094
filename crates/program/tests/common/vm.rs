//! A small interpreter for concrete runs of loaded code: just enough to show that lowering preserves behaviour.

use secateur_program::*;
use std::collections::HashMap;

pub struct Vm<'a> {
    program: &'a Program,
    objects: HashMap<ObjectId, Vec<u8>>,
    next: ObjectId,
    /// The last argument of the last call of `printf`.
    pub printed: u64,
}

fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

fn signed_wide(value: u128, width: u8) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

impl<'a> Vm<'a> {
    pub fn new(program: &'a Program) -> Vm<'a> {
        let mut objects = HashMap::new();
        for (index, global) in program.globals.iter().enumerate() {
            let mut bytes = global.init.clone();
            bytes.resize(global.size as usize, 0);
            objects.insert(ObjectId::of_global(GlobalId(index as u32)), bytes);
        }
        Vm { program, objects, next: ObjectId(FIRST_DYNAMIC_OBJECT as u32), printed: 0 }
    }

    /// The content of a global variable.
    pub fn global(&self, name: &str) -> &[u8] {
        let index = self.program.globals.iter().position(|global| &*global.name == name).expect("the global exists");
        &self.objects[&ObjectId::of_global(GlobalId(index as u32))]
    }

    fn allocate(&mut self, size: u64) -> u64 {
        // Uninitialised memory should not be right by chance.
        let id = self.next;
        self.objects.insert(id, vec![0xa5; size as usize]);
        self.next = ObjectId(id.0 + 1);
        id.address()
    }

    fn bytes(&mut self, addr: u64, len: u64) -> &mut [u8] {
        let offset = object_offset(addr) as usize;
        let object = self.objects.get_mut(&ObjectId::of(addr)).unwrap_or_else(|| panic!("wild pointer {addr:#x}"));
        &mut object[offset..offset + len as usize]
    }

    fn external(&mut self, name: &str, args: &[u64]) -> Vec<u64> {
        match name {
            "malloc" => vec![self.allocate(args[0])],
            "free" => vec![],
            "printf" => {
                self.printed = args[args.len() - 1];
                vec![0]
            }
            "strcmp" => vec![1],
            "fmodf" => vec![u64::from((f32::from_bits(args[0] as u32) % f32::from_bits(args[1] as u32)).to_bits())],
            "sin" => vec![f64::from_bits(args[0]).sin().to_bits()],
            _ => panic!("call of {name}"),
        }
    }

    pub fn call(&mut self, id: FuncId, args: &[u64]) -> Vec<u64> {
        let function = &self.program.functions[id.index()];
        let Some(body) = &function.body else { return self.external(&function.name, args) };
        let mut slots = vec![0xdead_dead_dead_dead_u64; body.slots as usize];
        slots[..args.len()].copy_from_slice(args);
        let mut pc = 0;
        loop {
            let get = |operand: Operand| match operand.kind() {
                OperandKind::Slot(slot) => slots[slot.index()],
                OperandKind::Const(index) => body.consts[index as usize],
            };
            let wide = |operand: Operand| u128::from(get(operand)) | u128::from(get(operand.offset(1))) << 64;
            let inst = &body.code[pc as usize];
            pc += 1;
            let edge = match *inst {
                Inst::Move { dst, src } => {
                    slots[dst.index()] = get(src);
                    None
                }
                Inst::Bin { op, width, dst, a, b } => {
                    let value = bin(op, width, u128::from(get(a)), u128::from(get(b)));
                    slots[dst.index()] = value as u64;
                    None
                }
                Inst::BinWide { op, width, dst, a, b } => {
                    let value = bin(op, width, wide(a), wide(b));
                    slots[dst.index()] = value as u64;
                    slots[dst.index() + 1] = (value >> 64) as u64;
                    None
                }
                Inst::Un { op, width, dst, a } => {
                    slots[dst.index()] = un(op, width, u128::from(get(a))) as u64;
                    None
                }
                Inst::UnWide { op, width, dst, a } => {
                    let value = un(op, width, wide(a));
                    slots[dst.index()] = value as u64;
                    slots[dst.index() + 1] = (value >> 64) as u64;
                    None
                }
                Inst::Cmp { op, width, dst, a, b } => {
                    slots[dst.index()] = u64::from(cmp(op, width, u128::from(get(a)), u128::from(get(b))));
                    None
                }
                Inst::CmpWide { op, width, dst, a, b } => {
                    slots[dst.index()] = u64::from(cmp(op, width, wide(a), wide(b)));
                    None
                }
                Inst::Cast { op, from, to, dst, a } => {
                    let value = if op == CastOp::SExt { signed(get(a), from) as u64 } else { get(a) };
                    slots[dst.index()] = value & mask(to);
                    None
                }
                Inst::CastWide { op, from, to, dst, a } => {
                    let value = if from > 64 { wide(a) } else { u128::from(get(a)) };
                    let value = if op == CastOp::SExt { signed_wide(value, from) as u128 } else { value };
                    slots[dst.index()] = value as u64 & mask(to.min(64));
                    if to > 64 {
                        slots[dst.index() + 1] = (value >> 64) as u64 & mask(to - 64);
                    }
                    None
                }
                Inst::Select { dst, cond, a, b, .. } => {
                    slots[dst.index()] = if get(cond) != 0 { get(a) } else { get(b) };
                    None
                }
                Inst::PtrAdd { dst, base, index, scale } => {
                    slots[dst.index()] = get(base).wrapping_add(get(index).wrapping_mul(u64::from(scale)));
                    None
                }
                Inst::Float { op, width, dst, a, b } => {
                    slots[dst.index()] = float(op, width, get(a), get(b));
                    None
                }
                Inst::FloatUn { op, width, dst, a } => {
                    let value = float_un(op, to_f64(get(a), width));
                    slots[dst.index()] = match op {
                        FloatUnOp::Neg => get(a) ^ 1 << (width - 1),
                        FloatUnOp::Sqrt if width == 32 => u64::from(f32::from_bits(get(a) as u32).sqrt().to_bits()),
                        _ => from_f64(value, width),
                    };
                    None
                }
                Inst::FloatCmp { cmp, width, dst, a, b } => {
                    let holds = match to_f64(get(a), width).partial_cmp(&to_f64(get(b), width)) {
                        Some(std::cmp::Ordering::Less) => cmp.less,
                        Some(std::cmp::Ordering::Equal) => cmp.equal,
                        Some(std::cmp::Ordering::Greater) => cmp.greater,
                        None => cmp.unordered,
                    };
                    slots[dst.index()] = u64::from(holds);
                    None
                }
                Inst::FloatCast { op, from, to, dst, a } => {
                    slots[dst.index()] = match op {
                        FloatCast::Float => from_f64(to_f64(get(a), from), to),
                        FloatCast::ToSigned => to_f64(get(a), from) as i64 as u64 & mask(to),
                        FloatCast::ToUnsigned => to_f64(get(a), from) as u64 & mask(to),
                        FloatCast::FromSigned if to == 32 => u64::from((signed(get(a), from) as f32).to_bits()),
                        FloatCast::FromSigned => (signed(get(a), from) as f64).to_bits(),
                        FloatCast::FromUnsigned if to == 32 => u64::from((get(a) as f32).to_bits()),
                        FloatCast::FromUnsigned => (get(a) as f64).to_bits(),
                    };
                    None
                }
                Inst::FusedMulAdd { width: 64, dst, a, b, c } => {
                    let (a, b, c) = (f64::from_bits(get(a)), f64::from_bits(get(b)), f64::from_bits(get(c)));
                    slots[dst.index()] = a.mul_add(b, c).to_bits();
                    None
                }
                Inst::Load { dst, addr, bytes, width } => {
                    let mut buffer = [0; 8];
                    buffer[..usize::from(bytes)].copy_from_slice(self.bytes(get(addr), u64::from(bytes)));
                    slots[dst.index()] = u64::from_le_bytes(buffer) & mask(width);
                    None
                }
                Inst::Store { addr, src, bytes, width } => {
                    let value = (get(src) & mask(width)).to_le_bytes();
                    assert_eq!(get(src) & mask(width), get(src), "a slot must be zero-extended");
                    self.bytes(get(addr), u64::from(bytes)).copy_from_slice(&value[..usize::from(bytes)]);
                    None
                }
                Inst::Alloca { dst, info } => {
                    let alloca = &body.allocas[info.index()];
                    let count = alloca.count.map_or(1, get);
                    slots[dst.index()] = self.allocate(alloca.element_size * count);
                    None
                }
                Inst::MemCopy { dst, src, len } => {
                    let data = self.bytes(get(src), get(len)).to_vec();
                    self.bytes(get(dst), get(len)).copy_from_slice(&data);
                    None
                }
                Inst::MemSet { dst, value, len } => {
                    self.bytes(get(dst), get(len)).fill(get(value) as u8);
                    None
                }
                Inst::StackSave { dst } => {
                    slots[dst.index()] = 0;
                    None
                }
                Inst::LifetimeEnd { .. } | Inst::LifetimeStart { .. } | Inst::StackRestore { .. } => None,
                Inst::Assume { cond } => {
                    assert_eq!(get(cond), 1);
                    None
                }
                Inst::Call { info } => {
                    let call = &body.calls[info.index()];
                    let callee = match call.callee {
                        Callee::Direct(id) => id,
                        Callee::Indirect(address) => function_at(get(address)).expect("the address of a function"),
                    };
                    let mut args = Vec::new();
                    for arg in &call.args {
                        if let Some((size, _)) = arg.by_value {
                            let copy = self.allocate(size);
                            let data = self.bytes(get(arg.value), size).to_vec();
                            self.bytes(copy, size).copy_from_slice(&data);
                            args.push(copy);
                        } else {
                            args.extend((0..arg.slots.len() as u32).map(|slot| get(arg.value.offset(slot))));
                        }
                    }
                    let result = self.call(callee, &args);
                    slots[call.dst.index()..call.dst.index() + call.result.len()].copy_from_slice(&result);
                    None
                }
                Inst::Jump { edge } => Some(edge),
                Inst::Branch { cond, then_edge, else_edge, .. } => {
                    Some(if get(cond) != 0 { then_edge } else { else_edge })
                }
                Inst::Switch { value, info } => {
                    let switch = &body.switches[info.index()];
                    let value = get(value);
                    let target = switch.cases.iter().find(|(case, _)| *case == value).map_or(0, |(_, target)| *target);
                    Some(switch.targets[target as usize])
                }
                Inst::IndirectJump { addr, info } => {
                    let address = get(addr);
                    let target = body.gotos[info.index()].iter().find(|(target, _)| *target == address);
                    Some(target.expect("the address of a label").1)
                }
                Inst::Return { info } => {
                    return match &body.returns[info.index()] {
                        None => vec![],
                        Some(value) => {
                            (0..value.slots.len() as u32).map(|slot| get(value.value.offset(slot))).collect()
                        }
                    };
                }
                ref other => panic!("{}: {other:?}", function.name),
            };
            if let Some(edge) = edge {
                let edge = &body.edges[edge.index()];
                let get = |slots: &[u64], operand: Operand| match operand.kind() {
                    OperandKind::Slot(slot) => slots[slot.index()],
                    OperandKind::Const(index) => body.consts[index as usize],
                };
                if edge.sequential {
                    for (dst, src) in &edge.moves {
                        slots[dst.index()] = get(&slots, *src);
                    }
                } else {
                    let values: Vec<u64> = edge.moves.iter().map(|(_, src)| get(&slots, *src)).collect();
                    for ((dst, _), value) in edge.moves.iter().zip(values) {
                        slots[dst.index()] = value;
                    }
                }
                pc = edge.pc;
            }
        }
    }
}

fn bin(op: BinOp, width: u8, a: u128, b: u128) -> u128 {
    let all = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    let (sa, sb) = (signed_wide(a, width), signed_wide(b, width));
    // The optimiser may shift too far and not use the result.
    let shift = (b % u128::from(width)) as u32;
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a / b,
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::URem => a % b,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << shift,
        BinOp::LShr => a >> shift,
        BinOp::AShr => (sa >> shift) as u128,
    };
    value & all
}

fn un(op: UnOp, width: u8, a: u128) -> u128 {
    let unused = 128 - u32::from(width);
    match op {
        UnOp::CountOnes => u128::from(a.count_ones()),
        UnOp::LeadingZeros => u128::from(a.leading_zeros() - unused),
        UnOp::TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(width))),
        UnOp::SwapBytes => a.swap_bytes() >> unused,
        UnOp::ReverseBits => a.reverse_bits() >> unused,
    }
}

fn cmp(op: CmpOp, width: u8, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed_wide(a, width), signed_wide(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

fn to_f64(bits: u64, width: u8) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

fn from_f64(value: f64, width: u8) -> u64 {
    if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

fn float(op: FloatOp, width: u8, a: u64, b: u64) -> u64 {
    // Twice the digits and two make these exact for `float`, too.
    let (x, y) = (to_f64(a, width), to_f64(b, width));
    let value = match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Rem => x % y,
        FloatOp::Min => x.min(y),
        FloatOp::Max => x.max(y),
        FloatOp::CopySign => x.copysign(y),
    };
    from_f64(value, width)
}

fn float_un(op: FloatUnOp, value: f64) -> f64 {
    match op {
        FloatUnOp::Neg => -value,
        FloatUnOp::Abs => value.abs(),
        FloatUnOp::Sqrt => value.sqrt(),
        FloatUnOp::Floor => value.floor(),
        FloatUnOp::Ceil => value.ceil(),
        FloatUnOp::Trunc => value.trunc(),
        FloatUnOp::Round => value.round(),
        FloatUnOp::RoundEven | FloatUnOp::Rint => value.round_ties_even(),
    }
}
