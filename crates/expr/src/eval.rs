//! Evaluation of expressions under an input.

use rustc_hash::FxHashMap;

use crate::arith::{narrow, wide};
use crate::array::ArrayNode;
use crate::expr::{Array, Expr};
use crate::float;
use crate::node::Stored;
use crate::pool::Pool;

/// An input, and the values of the expressions that were evaluated under it.
///
/// ```
/// use secateur_expr::{Pool, Valuation};
///
/// let mut pool = Pool::new();
/// let word = pool.input(0, 2);
/// let mut valuation = Valuation::new(vec![0x34, 0x12]);
/// assert_eq!(valuation.eval(&pool, word), 0x1234);
/// valuation.set_byte(0, 0xff);
/// assert_eq!(valuation.eval(&pool, word), 0x12ff);
/// let beyond = pool.input(7, 1);
/// assert_eq!(valuation.eval(&pool, beyond), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Valuation {
    input: Vec<u8>,
    holes: FxHashMap<u32, u128>,
    /// The value of each expression, valid if its stamp is `generation`.
    values: Vec<Value>,
    /// Bits from 64 up of wide values, valid if the stamp in `values` is.
    high: FxHashMap<Expr, u64>,
    generation: u32,
    pool: u64,
    work: Vec<Expr>,
    steps: u64,
}

#[derive(Clone, Copy, Default, Debug)]
struct Value {
    low: u64,
    stamp: u32,
}

impl Default for Valuation {
    /// A valuation of the empty input.
    fn default() -> Self {
        Valuation::new(Vec::new())
    }
}

impl Valuation {
    /// A valuation of this input.
    pub fn new(input: Vec<u8>) -> Valuation {
        Valuation {
            input,
            holes: FxHashMap::default(),
            values: Vec::new(),
            high: FxHashMap::default(),
            generation: 1,
            pool: 0,
            work: Vec::new(),
            steps: 0,
        }
    }

    /// Changes the input and invalidates all values.
    pub fn set_input(&mut self, input: Vec<u8>) {
        self.input = input;
        self.invalidate();
    }

    /// Changes the input to a copy of this one and invalidates all values.
    pub fn copy_input(&mut self, input: &[u8]) {
        self.input.clear();
        self.input.extend_from_slice(input);
        self.invalidate();
    }

    /// The input.
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// Changes one byte, extending the input if necessary. Invalidates all values if the byte differs.
    pub fn set_byte(&mut self, index: u32, value: u8) {
        let index = index as usize;
        if index >= self.input.len() {
            if value == 0 {
                return;
            }
            self.input.resize(index + 1, 0);
        }
        if self.input[index] != value {
            self.input[index] = value;
            self.invalidate();
        }
    }

    /// A byte of the input; 0 beyond its end.
    #[inline]
    pub fn byte(&self, index: u32) -> u8 {
        self.input.get(index as usize).copied().unwrap_or(0)
    }

    /// Sets the value of a hole, which is 0 by default, and invalidates all values.
    pub fn set_hole(&mut self, id: u32, value: u128) {
        self.holes.insert(id, value);
        self.invalidate();
    }

    /// Says what a hole evaluates to of which nothing was evaluated so far, so that all other values stay.
    pub fn add_hole(&mut self, id: u32, value: u128) {
        self.holes.insert(id, value);
    }

    /// All holes are 0 again. All values are forgotten.
    pub fn forget_holes(&mut self) {
        self.holes.clear();
        self.invalidate();
    }

    /// The value of an expression of at most 64 bits.
    #[inline]
    pub fn eval(&mut self, pool: &Pool, e: Expr) -> u64 {
        debug_assert!(pool.width(e) <= 64, "a value of {} bits needs eval_wide", pool.width(e));
        if pool.id() == self.pool
            && let Some(value) = self.values.get(e.at())
            && value.stamp == self.generation
        {
            return value.low;
        }
        self.eval_new(pool, e) as u64
    }

    /// The value of an expression.
    pub fn eval_wide(&mut self, pool: &Pool, e: Expr) -> u128 {
        self.eval_new(pool, e)
    }

    /// The value of a condition.
    #[inline]
    pub fn holds(&mut self, pool: &Pool, e: Expr) -> bool {
        self.eval(pool, e) != 0
    }

    /// How many operations were evaluated so far: a measure of cost that is the same in every run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn invalidate(&mut self) {
        self.generation = match self.generation.checked_add(1) {
            Some(next) => next,
            None => {
                self.values.clear();
                1
            }
        };
    }

    fn eval_new(&mut self, pool: &Pool, e: Expr) -> u128 {
        if pool.id() != self.pool {
            self.pool = pool.id();
            self.invalidate();
        }
        if self.values.len() < pool.nodes.len() {
            self.values.resize(pool.nodes.len(), Value::default());
        }
        if let Some(known) = self.known(pool, e) {
            return known;
        }
        // The stack is explicit, since expressions can be very deep.
        let mut work = std::mem::take(&mut self.work);
        work.push(e);
        while let Some(&next) = work.last() {
            let waiting = work.len();
            if let Some(value) = self.compute(pool, next, &mut work) {
                debug_assert_eq!(work.len(), waiting);
                work.pop();
                self.steps += 1;
                self.set(pool, next, value);
            }
        }
        self.work = work;
        self.known(pool, e).expect("the loop ends when the value is known")
    }

    #[inline]
    fn set(&mut self, pool: &Pool, e: Expr, value: u128) {
        self.values[e.at()] = Value { low: value as u64, stamp: self.generation };
        if pool.width(e) > 64 {
            self.high.insert(e, (value >> 64) as u64);
        }
    }

    #[inline]
    fn known(&self, pool: &Pool, e: Expr) -> Option<u128> {
        let value = self.values[e.at()];
        if value.stamp != self.generation {
            return pool.as_const(e);
        }
        let high = if pool.width(e) > 64 { u128::from(self.high[&e]) } else { 0 };
        Some(high << 64 | u128::from(value.low))
    }

    /// Computes a value from those of the operands. If some are missing, pushes them to `work` and returns `None`.
    #[inline]
    fn compute(&self, pool: &Pool, e: Expr, work: &mut Vec<Expr>) -> Option<u128> {
        /// The values of the operands; returns from the function if some are missing.
        macro_rules! operands {
            ($($operand:expr),*) => {{
                let before = work.len();
                let values = ($(self.known(pool, $operand).unwrap_or_else(|| { work.push($operand); 0 }),)*);
                if work.len() != before {
                    return None;
                }
                values
            }};
        }
        let value = match *pool.stored(e) {
            Stored::Const { .. } | Stored::WideConst { .. } => pool.as_const(e)?,
            Stored::Input { first, bytes } => {
                (0..u32::from(bytes)).rev().fold(0, |word, i| word << 8 | u128::from(self.byte(first + i)))
            }
            Stored::Hole { id, width } => self.holes.get(&id).copied().unwrap_or(0) & wide::mask(width),
            Stored::Unary { op, a } => {
                let (x,) = operands!(a);
                match pool.width(a) {
                    width @ ..=64 => narrow::unary(op, width, x as u64).into(),
                    width => wide::unary(op, width, x),
                }
            }
            Stored::Binary { op, a, b } => {
                let (x, y) = operands!(a, b);
                match pool.width(a) {
                    width @ ..=64 => narrow::binary(op, width, x as u64, y as u64).into(),
                    width => wide::binary(op, width, x, y),
                }
            }
            Stored::Ite { c, a, b } => {
                // Only the chosen arm is evaluated.
                let (condition,) = operands!(c);
                let (chosen,) = operands!(if condition != 0 { a } else { b });
                chosen
            }
            Stored::Concat { hi, lo } => {
                let (x, y) = operands!(hi, lo);
                x << pool.width(lo) | y
            }
            Stored::Extract { low, width, e } => {
                let (x,) = operands!(e);
                x >> low & wide::mask(width)
            }
            Stored::ZExt { e, .. } => operands!(e).0,
            Stored::SExt { width, e } => {
                let (x,) = operands!(e);
                wide::signed(pool.width(e), x) as u128 & wide::mask(width)
            }
            Stored::Float { op, mode, a, b } => {
                let (x, y) = operands!(a, b);
                float::binary_in(mode, op, pool.width(a), x as u64, y as u64).into()
            }
            Stored::FloatUn { op, mode, a } => {
                let (x,) = operands!(a);
                float::unary_in(mode, op, pool.width(a), x as u64).into()
            }
            Stored::FloatCmp { cmp, a, b } => {
                let (x, y) = operands!(a, b);
                float::compare(cmp, pool.width(a), x as u64, y as u64).into()
            }
            Stored::FloatCast { op, mode, width, e } => {
                let (x,) = operands!(e);
                float::cast_in(mode, op, pool.width(e), width, x as u64).into()
            }
            Stored::FusedMulAdd { mode, a, b, c } => {
                let (x, y, z) = operands!(a, b, c);
                float::fused_mul_add_in(mode, pool.width(a), x as u64, y as u64, z as u64).into()
            }
            Stored::Select { array, index } => {
                let (at,) = operands!(index);
                self.select(pool, array, at as u64, work)?
            }
            Stored::Native { function, args } => {
                let width = pool.width(args[0]);
                match *args {
                    [a] => {
                        let (x,) = operands!(a);
                        function.call(width, &[x as u64]).into()
                    }
                    [a, b] => {
                        let (x, y) = operands!(a, b);
                        function.call(width, &[x as u64, y as u64]).into()
                    }
                    _ => unreachable!("a native function has one or two arguments"),
                }
            }
        };
        Some(value)
    }

    /// The element at a known index. All missing indices of stores are requested at once, so that the stores are not
    /// traversed again for each.
    fn select(&self, pool: &Pool, array: Array, at: u64, work: &mut Vec<Expr>) -> Option<u128> {
        if at >= pool.array_len(array) {
            return Some(0);
        }
        let before = work.len();
        let mut current = array;
        let element = loop {
            match pool.array_node(current) {
                ArrayNode::Table(elements) => break elements[at as usize],
                ArrayNode::Store { array, index, value } => {
                    match self.known(pool, index) {
                        None => work.push(index),
                        Some(stored) if stored == u128::from(at) && work.len() == before => break value,
                        // A store above, whose index is not known yet, may overwrite it.
                        Some(stored) if stored == u128::from(at) => return None,
                        Some(_) => {}
                    }
                    current = array;
                }
            }
        };
        if work.len() != before {
            return None;
        }
        let known = self.known(pool, element);
        if known.is_none() {
            work.push(element);
        }
        known
    }
}
