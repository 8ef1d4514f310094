//! The step function: executes instructions until the input decides, the path ends, or the budget is used up.
//!
//! Each arm first tries the case that all operands are concrete, which creates no expressions.

use secateur_expr::Expr;
use secateur_path::ChoiceKey;
use secateur_program::{BinOp, Body, CastOp, Edge, EdgeId, Inst, Operand, Program, Slot};
use smallvec::SmallVec;

use crate::concrete;
use crate::decision::{Choice, DecisionKind};
use crate::end::BugKind;
use crate::frame::Frame;
use crate::holes::Reason;
use crate::long_double;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::symbolic;
use crate::value::{Value, mask, signed};

#[inline(always)]
fn set(frame: &mut Frame, slot: Slot, value: Value) {
    frame.slots[slot.index()] = value;
}

/// Takes an edge: performs its moves and continues at its block.
#[inline(always)]
fn follow(frame: &mut Frame, body: &Body, edge: &Edge) {
    if edge.sequential {
        for (dst, src) in &edge.moves {
            let value = frame.operand(body, *src);
            set(frame, *dst, value);
        }
    } else {
        let values: SmallVec<[Value; 8]> = edge.moves.iter().map(|(_, src)| frame.operand(body, *src)).collect();
        for ((dst, _), value) in edge.moves.iter().zip(values) {
            set(frame, *dst, value);
        }
    }
    frame.pc = edge.pc;
}

/// Both operands are concrete and initialised.
#[inline(always)]
fn plain(a: Value, b: Value) -> bool {
    a.expr.is_none() & b.expr.is_none() & !a.uninit() & !b.uninit()
}

impl Machine {
    /// Executes `state` until something happens; returns `Ok` once the state has executed `pause` instructions. Without
    /// `EXACT`, this is checked only at jumps, branches, calls and returns, so that other instructions do not pay for
    /// it.
    pub(crate) fn execute<const EXACT: bool>(
        &mut self,
        program: &Program,
        state: &mut State,
        pause: u64,
    ) -> StepResult<()> {
        loop {
            let function = &program.functions[state.frame.function.index()];
            let Some(body) = &function.body else {
                return Err(self.unsupported(state, format!("external function `{}`", function.name)));
            };
            self.execute_frame::<EXACT>(program, body, function.user, state, pause)?;
            if state.instructions >= pause {
                return Ok(());
            }
        }
    }

    /// Executes the innermost frame until a call or return changes it, or the state has executed `pause` instructions.
    fn execute_frame<const EXACT: bool>(
        &mut self,
        program: &Program,
        body: &Body,
        user: bool,
        state: &mut State,
        pause: u64,
    ) -> StepResult<()> {
        loop {
            if EXACT && state.instructions >= pause {
                return Ok(());
            }
            state.instructions += 1;
            #[cfg(debug_assertions)]
            {
                self.before = crate::fingerprint::Fingerprint::of(state);
            }
            let frame = &mut state.frame;
            match body.code[frame.pc as usize] {
                Inst::Move { dst, src } => {
                    let value = frame.operand(body, src);
                    set(frame, dst, value);
                }
                Inst::Bin { op, width, dst, a, b } => {
                    let (x, y) = (frame.operand(body, a), frame.operand(body, b));
                    let value = match concrete::binary(op, width, x.bits, y.bits) {
                        Some(bits) if plain(x, y) => Value::concrete(bits),
                        _ => self.binary(state, op, width, x, y)?,
                    };
                    set(&mut state.frame, dst, value);
                }
                Inst::Cmp { op, width, dst, a, b } => {
                    let (x, y) = (frame.operand(body, a), frame.operand(body, b));
                    let value = if plain(x, y) {
                        Value::concrete(u64::from(concrete::compare(op, width, x.bits, y.bits)))
                    } else {
                        let (x, y) = (self.determined(state, x), self.determined(state, y));
                        let (ex, ey) = (self.expr(x, width), self.expr(y, width));
                        let result = symbolic::compare(&mut self.pool, op, ex, ey);
                        self.value(result).tainted(self.unwritten.compare(op, width, x, y))
                    };
                    set(&mut state.frame, dst, value);
                }
                Inst::Cast { op, from, to, dst, a } => {
                    let mut x = frame.operand(body, a);
                    if x.expr.is_some() {
                        x = self.determined(state, x);
                    }
                    let unwritten = self.unwritten.cast(op, from, to, x);
                    let value = match x.expr {
                        None => Value { bits: concrete::cast(op, from, to, x.bits), expr: None, unwritten },
                        Some(expr) => {
                            let result = symbolic::cast(&mut self.pool, op, to, expr);
                            Value { unwritten, ..self.value(result) }
                        }
                    };
                    set(&mut state.frame, dst, value);
                }
                Inst::PtrAdd { dst, base, index, scale } => {
                    let (x, y) = (frame.operand(body, base), frame.operand(body, index));
                    let value = if plain(x, y) {
                        Value::concrete(x.bits.wrapping_add(y.bits.wrapping_mul(u64::from(scale))))
                    } else {
                        let (x, y) = (self.determined(state, x), self.determined(state, y));
                        let (ex, ey) = (self.expr(x, 64), self.expr(y, 64));
                        let scale = self.pool.constant(64, u128::from(scale));
                        let scaled = self.pool.mul(ey, scale);
                        let sum = self.pool.add(ex, scaled);
                        self.value(sum).tainted(x.uninit() | y.uninit())
                    };
                    set(&mut state.frame, dst, value);
                }
                Inst::Select { width, dst, cond, a, b } => {
                    let (c, x, y) = (frame.operand(body, cond), frame.operand(body, a), frame.operand(body, b));
                    let value = match c.expr {
                        None => (if c.bits & 1 == 1 { x } else { y }).tainted(c.uninit()),
                        // The sides differ in which bytes were written, so the condition is decided on.
                        Some(condition) if x.unwritten != y.unwritten && !c.uninit() => {
                            if self.decide_condition(state, DecisionKind::Check, condition, None)? { x } else { y }
                        }
                        Some(condition) => {
                            let (ex, ey) = (self.expr(x, width), self.expr(y, width));
                            let result = self.pool.ite(condition, ex, ey);
                            // Both sides have the same set of bits, or the condition has some.
                            Value { unwritten: x.unwritten, ..self.value(result) }.tainted(c.uninit())
                        }
                    };
                    set(&mut state.frame, dst, value);
                }
                Inst::Load { dst, addr, bytes, width } => {
                    let addr = frame.operand(body, addr);
                    let value = self.load(state, addr, bytes, width)?;
                    set(&mut state.frame, dst, value);
                }
                Inst::Store { addr, src, bytes, width } => {
                    let (addr, value) = (frame.operand(body, addr), frame.operand(body, src));
                    self.store(state, addr, value, bytes, width)?;
                }
                Inst::Jump { edge } => {
                    self.jump(body, user, state, edge);
                    if state.instructions >= pause {
                        return Ok(());
                    }
                    continue;
                }
                Inst::Branch { cond, then_edge, else_edge, branch } => {
                    let condition = frame.operand(body, cond);
                    let outcome = match condition.expr {
                        None if !condition.uninit() => condition.bits & 1 == 1,
                        None => {
                            self.check_initialised(state, condition, "a branch")?;
                            condition.bits & 1 == 1
                        }
                        Some(expr) => {
                            self.check_initialised(state, condition, "a branch")?;
                            self.decide_condition(state, DecisionKind::Branch(branch), expr, None)?
                        }
                    };
                    let edge = &body.edges[if outcome { then_edge } else { else_edge }.index()];
                    let outcome = u32::from(outcome);
                    if let Some(native) = program.branches[branch.index()].native {
                        state.trace.record(native, outcome);
                    }
                    // An outcome always enters the same block.
                    if !self.coverage.taken(branch, outcome) {
                        self.coverage.take(branch, outcome, user);
                        self.coverage.enter(state.frame.function, edge.to, user);
                    }
                    follow(&mut state.frame, body, edge);
                    if state.instructions >= pause {
                        return Ok(());
                    }
                    continue;
                }
                Inst::Switch { value, info } => {
                    let value = frame.operand(body, value);
                    let switch = &body.switches[info.index()];
                    self.check_initialised(state, value, "a switch")?;
                    let target = match value.expr {
                        None => switch.target(value.bits),
                        Some(expr) => {
                            let kind = DecisionKind::Branch(switch.branch);
                            let taken = self.decide(state, kind, |machine| machine.switch_choices(switch, expr))?;
                            taken.target().unwrap_or(0)
                        }
                    };
                    self.coverage.take(switch.branch, target, user);
                    if let Some(native) = program.branches[switch.branch.index()].native {
                        state.trace.record(native, target);
                    }
                    self.jump(body, user, state, switch.targets[target as usize]);
                    if state.instructions >= pause {
                        return Ok(());
                    }
                    continue;
                }
                Inst::Call { info } => {
                    if self.call(program, body, &body.calls[info.index()], state)? {
                        return Ok(());
                    }
                    continue;
                }
                Inst::Return { info } => {
                    self.return_from(program, body, body.returns[info.index()].as_ref(), state)?;
                    return Ok(());
                }
                Inst::Alloca { dst, info } => {
                    let address = self.alloca(body, state, &body.allocas[info.index()])?;
                    set(&mut state.frame, dst, Value::concrete(address));
                }
                Inst::Un { op, width, dst, a } => {
                    let x = frame.operand(body, a);
                    let unwritten = self.unwritten.unary(op, width, x);
                    let value = match x.expr {
                        None => Value { bits: concrete::unary(op, width, x.bits), expr: None, unwritten },
                        Some(expr) => {
                            let result = symbolic::unary(&mut self.pool, op, expr);
                            Value { unwritten, ..self.value(result) }
                        }
                    };
                    set(&mut state.frame, dst, value);
                }
                Inst::BinWide { op, width, dst, a, b } => {
                    let (x, y) = (self.wide(frame, body, a), self.wide(frame, body, b));
                    let value = self.binary_wide(state, op, width, x, y)?;
                    self.set_wide(&mut state.frame, dst, width, value);
                }
                Inst::UnWide { op, width, dst, a } => {
                    let x = self.wide(frame, body, a);
                    let value = match self.wide_bits(x) {
                        Some(bits) => Wide::concrete(concrete::unary_wide(op, width, bits)).tainted(x),
                        None => {
                            let expr = self.wide_expr(x, width);
                            let result = symbolic::unary(&mut self.pool, op, expr);
                            self.split(result).tainted(x)
                        }
                    };
                    self.set_wide(&mut state.frame, dst, width, value);
                }
                Inst::CmpWide { op, width, dst, a, b } => {
                    let (x, y) = (self.wide(frame, body, a), self.wide(frame, body, b));
                    let value = match (self.wide_bits(x), self.wide_bits(y)) {
                        (Some(x), Some(y)) => Value::concrete(u64::from(concrete::compare_wide(op, width, x, y))),
                        _ => {
                            let (ex, ey) = (self.wide_expr(x, width), self.wide_expr(y, width));
                            let result = symbolic::compare(&mut self.pool, op, ex, ey);
                            self.value(result)
                        }
                    };
                    set(&mut state.frame, dst, value.tainted(x.uninit() | y.uninit()));
                }
                Inst::CastWide { op, from, to, dst, a } => {
                    let x = if from > 64 {
                        self.wide(frame, body, a)
                    } else {
                        Wide { low: frame.operand(body, a), high: Value::ZERO }
                    };
                    let expr = if from > 64 { self.wide_expr(x, from) } else { self.expr(x.low, from) };
                    let result = symbolic::cast(&mut self.pool, op, to, expr);
                    let unwritten = self.unwritten.cast(op, from.min(64), to.min(64), x.low);
                    if to > 64 {
                        let Wide { low, high } = self.split(result);
                        let low = Value { unwritten, ..low };
                        // An extension copies the sign bit of a narrower value into the high half.
                        let high = high.tainted(x.high.uninit() | (op == CastOp::SExt && x.low.uninit()));
                        self.set_wide(&mut state.frame, dst, to, Wide { low, high });
                    } else {
                        let value = Value { unwritten, ..self.value(result) };
                        set(&mut state.frame, dst, value);
                    }
                }
                Inst::Float { op, width, dst, a, b } => {
                    let (x, y) = (frame.operand(body, a), frame.operand(body, b));
                    let value = self.float(op, width, x, y);
                    set(&mut state.frame, dst, value);
                }
                Inst::FloatUn { op, width, dst, a } => {
                    let x = frame.operand(body, a);
                    let value = self.float_un(op, width, x);
                    set(&mut state.frame, dst, value);
                }
                Inst::FloatCmp { cmp, width, dst, a, b } => {
                    let (x, y) = (frame.operand(body, a), frame.operand(body, b));
                    let value = self.float_cmp(cmp, width, x, y);
                    set(&mut state.frame, dst, value);
                }
                Inst::FloatCast { op, from, to, dst, a } => {
                    let x = frame.operand(body, a);
                    let value = self.float_cast(op, from, to, x);
                    set(&mut state.frame, dst, value);
                }
                Inst::FusedMulAdd { width, dst, a, b, c } => {
                    let (x, y, z) = (frame.operand(body, a), frame.operand(body, b), frame.operand(body, c));
                    let value = self.fused_mul_add(width, x, y, z);
                    set(&mut state.frame, dst, value);
                }
                Inst::LongDouble { op, dst, a, b } => {
                    let operands = long_double::operands(op, a, b).map(|operand| frame.operand(body, operand));
                    let uninit = operands.iter().any(|operand| operand.uninit());
                    let (low, high) = self.long_double(state, op, operands)?;
                    set(&mut state.frame, dst, Value::concrete(low).tainted(uninit));
                    if let Some(high) = high {
                        set(&mut state.frame, Slot(dst.0 + 1), Value::concrete(high).tainted(uninit));
                    }
                }
                Inst::LifetimeEnd { addr } => {
                    let addr = frame.operand(body, addr);
                    self.lifetime(state, addr, false)?;
                }
                Inst::LifetimeStart { addr } => {
                    let addr = frame.operand(body, addr);
                    self.lifetime(state, addr, true)?;
                }
                Inst::MemCopy { dst, src, len } => {
                    let (dst, src, len) =
                        (frame.operand(body, dst), frame.operand(body, src), frame.operand(body, len));
                    self.copy(state, dst, src, len)?;
                }
                Inst::MemSet { dst, value, len } => {
                    let (dst, value, len) =
                        (frame.operand(body, dst), frame.operand(body, value), frame.operand(body, len));
                    self.fill(state, dst, value, len)?;
                }
                Inst::ObjectSize { dst, addr, min } => {
                    let addr = frame.operand(body, addr);
                    let size = self.object_size(state, addr, min)?;
                    set(&mut state.frame, dst, size);
                }
                Inst::VaStart { list } => {
                    let list = frame.operand(body, list);
                    self.va_start(state, list)?;
                }
                Inst::VaCopy { dst, src } => {
                    let (dst, src) = (frame.operand(body, dst), frame.operand(body, src));
                    self.va_copy(state, dst, src)?;
                }
                Inst::StackSave { dst } => {
                    let height = frame.objects.len() as u64;
                    set(frame, dst, Value::concrete(height));
                }
                Inst::StackRestore { saved } => {
                    let height = frame.operand(body, saved);
                    let height = self.pin(state, height)? as usize;
                    while state.frame.objects.len() > height {
                        let object = state.frame.objects.pop();
                        self.end_stack_object(state, object);
                    }
                }
                Inst::Assume { cond } => {
                    let condition = frame.operand(body, cond);
                    let expr = self.expr(condition, 1);
                    let kind = DecisionKind::Check;
                    if !self.decide_condition(state, kind, expr, Some(BugKind::Unreachable))? {
                        return Err(self.bug(state, BugKind::Unreachable, "a promise made to the compiler is broken"));
                    }
                }
                Inst::IndirectJump { addr, info } => {
                    let addr = frame.operand(body, addr);
                    self.check_initialised(state, addr, "the target of a computed goto")?;
                    let addr = self.settle(state, addr, Reason::Control);
                    let targets = &body.gotos[info.index()];
                    let address = match addr.expr {
                        None => addr.bits,
                        Some(expr) => self.decide_code(state, expr, targets.iter().map(|(target, _)| *target))?,
                    };
                    let Some((_, edge)) = targets.iter().find(|(target, _)| *target == address) else {
                        return Err(self.bug(
                            state,
                            BugKind::BadCall,
                            "computed goto to what is not a label of the function",
                        ));
                    };
                    self.jump(body, user, state, *edge);
                    if state.instructions >= pause {
                        return Ok(());
                    }
                    continue;
                }
                Inst::Unreachable => {
                    return Err(self.bug(state, BugKind::Unreachable, "code that must not be reached is reached"));
                }
                Inst::Unsupported { info } => {
                    return Err(self.unsupported(state, body.unsupported[info.index()].clone()));
                }
            }
            state.frame.pc += 1;
        }
    }

    /// Takes an edge and records that its block is entered.
    #[inline(always)]
    fn jump(&mut self, body: &Body, user: bool, state: &mut State, edge: EdgeId) {
        let edge = &body.edges[edge.index()];
        follow(&mut state.frame, body, edge);
        self.coverage.enter(state.frame.function, edge.to, user);
    }

    fn switch_choices(&mut self, switch: &secateur_program::Switch, value: Expr) -> (Choice, SmallVec<[Choice; 1]>) {
        let taken = switch.target(self.eval(value));
        let targets = switch.targets.len();
        let no = self.pool.bool(false);
        let mut conditions = vec![no; targets];
        let mut default = self.pool.bool(true);
        for (case, target) in &switch.cases {
            let constant = self.pool.constant(switch.width, u128::from(*case));
            let equal = self.pool.eq(value, constant);
            if *target != 0 {
                conditions[*target as usize] = self.pool.or(conditions[*target as usize], equal);
                let different = self.pool.not(equal);
                default = self.pool.and(default, different);
            }
        }
        conditions[0] = default;
        let chosen = Choice::new(conditions[taken as usize], ChoiceKey::Target(taken));
        let alternatives = (0..targets as u32)
            .filter(|target| *target != taken && !self.pool.is_false(conditions[*target as usize]))
            .map(|target| Choice::new(conditions[target as usize], ChoiceKey::Target(target)))
            .collect();
        (chosen, alternatives)
    }

    /// An integer operation with a symbolic operand, or a division.
    fn binary(&mut self, state: &mut State, op: BinOp, width: u8, x: Value, y: Value) -> StepResult<Value> {
        if matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem) {
            self.check_division(state, op, width, x, y)?;
        }
        let unwritten = self.unwritten.binary(op, width, x, y);
        if x.expr.is_none() && y.expr.is_none() {
            let bits = concrete::binary(op, width, x.bits, y.bits);
            let bits = bits.unwrap_or_else(|| concrete::divide(op, width, x.bits, y.bits));
            return Ok(Value { unwritten, ..Value::concrete(bits) });
        }
        // Every loop that keeps creating expressions passes here.
        self.check_halt()?;
        let (x, y) = (self.determined(state, x), self.determined(state, y));
        let (ex, ey) = (self.expr(x, width), self.expr(y, width));
        let result = symbolic::binary(&mut self.pool, op, ex, ey);
        Ok(Value { unwritten, ..self.value(result) })
    }

    fn check_division(&mut self, state: &mut State, op: BinOp, width: u8, x: Value, y: Value) -> StepResult<()> {
        let is_signed = matches!(op, BinOp::SDiv | BinOp::SRem);
        if plain(x, y) && y.bits != 0 && !(is_signed && signed(y.bits, width) == -1) {
            return Ok(());
        }
        let (ex, ey) = (self.expr(x, width), self.expr(y, width));
        self.check_division_exprs(state, is_signed, width, ex, ey)
    }

    fn check_division_exprs(
        &mut self,
        state: &mut State,
        is_signed: bool,
        width: u8,
        x: Expr,
        y: Expr,
    ) -> StepResult<()> {
        let zero = self.pool.constant(width, 0);
        let nonzero = self.pool.ne(y, zero);
        if !self.decide_condition(state, DecisionKind::Check, nonzero, Some(BugKind::DivisionByZero))? {
            return Err(self.bug(state, BugKind::DivisionByZero, "division by zero"));
        }
        // The processor traps on MIN / -1 for 32 and 64 bits; narrower divisions are done in 32 bits.
        if is_signed && matches!(width, 32 | 64) {
            let lowest = self.pool.constant(width, 1 << (width - 1));
            let minus_one = self.pool.constant(width, concrete::mask_wide(width));
            let (is_lowest, is_minus_one) = (self.pool.eq(x, lowest), self.pool.eq(y, minus_one));
            let overflows = self.pool.and(is_lowest, is_minus_one);
            let fits = self.pool.not(overflows);
            if !self.decide_condition(state, DecisionKind::Check, fits, Some(BugKind::DivisionOverflow))? {
                return Err(self.bug(
                    state,
                    BugKind::DivisionOverflow,
                    "the quotient of the smallest number and -1 does not fit",
                ));
            }
        }
        Ok(())
    }

    fn binary_wide(&mut self, state: &mut State, op: BinOp, width: u8, x: Wide, y: Wide) -> StepResult<Wide> {
        if matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem) {
            let (ex, ey) = (self.wide_expr(x, width), self.wide_expr(y, width));
            self.check_division_exprs(state, false, width, ex, ey)?;
        }
        if let (Some(a), Some(b)) = (self.wide_bits(x), self.wide_bits(y)) {
            return Ok(Wide::concrete(concrete::binary_wide(op, width, a, b)).tainted(x).tainted(y));
        }
        let (ex, ey) = (self.wide_expr(x, width), self.wide_expr(y, width));
        let result = symbolic::binary(&mut self.pool, op, ex, ey);
        Ok(self.split(result).tainted(x).tainted(y))
    }

    fn wide(&self, frame: &Frame, body: &Body, operand: Operand) -> Wide {
        Wide { low: frame.operand(body, operand), high: frame.operand(body, operand.offset(1)) }
    }

    fn wide_bits(&self, value: Wide) -> Option<u128> {
        Some(u128::from(value.high.as_concrete()?) << 64 | u128::from(value.low.as_concrete()?))
    }

    fn wide_expr(&mut self, value: Wide, width: u8) -> Expr {
        let (high, low) = (self.expr(value.high, width - 64), self.expr(value.low, 64));
        self.pool.concat(high, low)
    }

    /// An expression of more than 64 bits as two slots.
    fn split(&mut self, expr: Expr) -> Wide {
        let width = self.pool.width(expr);
        let (low, high) = (self.pool.extract(expr, 0, 64), self.pool.extract(expr, 64, width - 64));
        Wide { low: self.value(low), high: self.value(high) }
    }

    fn set_wide(&self, frame: &mut Frame, dst: Slot, width: u8, value: Wide) {
        set(frame, dst, value.low);
        let high = Value { bits: value.high.bits & mask(width - 64), ..value.high };
        set(frame, Slot(dst.0 + 1), high);
    }
}

/// A value of more than 64 bits.
#[derive(Clone, Copy)]
struct Wide {
    low: Value,
    high: Value,
}

impl Wide {
    fn concrete(bits: u128) -> Wide {
        Wide { low: Value::concrete(bits as u64), high: Value::concrete((bits >> 64) as u64) }
    }

    fn uninit(self) -> bool {
        self.low.uninit() | self.high.uninit()
    }

    fn tainted(self, by: Wide) -> Wide {
        Wide { low: self.low.tainted(by.uninit()), high: self.high.tainted(by.uninit()) }
    }
}
