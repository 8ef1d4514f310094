//! Interpolants as people read them: conditions on the variables of the program, in the notation of C.

use secateur_expr::{BinaryOp, Expr, FloatCmp, FloatOp, Intervals, Node, Pool, UnaryOp};
use secateur_machine::{Machine, State};

use crate::clauses::{Clause, Clauses};
use crate::variables::{Reading, Variable, Variables};

/// How many clauses are printed; the rest is counted.
const MAX_PARTS: usize = 16;
/// How many operations of one clause are printed; the rest is an ellipsis.
const MAX_OPERATIONS: usize = 40;
/// How deep expressions are printed: printing recurses.
const MAX_DEPTH: usize = 16;
/// How many intervals of a set are printed.
const MAX_INTERVALS: usize = 4;

/// What a state must satisfy to be covered.
pub(crate) fn describe(machine: &Machine, state: &State, clauses: &Clauses) -> String {
    let variables = Variables::new(machine, state);
    let printer = Printer {
        pool: &machine.pool,
        variable: &|hole| variables.of_hole(hole),
        address: &|address| variables.of_address(address),
    };
    printer.clauses(clauses)
}

/// Prints clauses. Everything about the program comes from outside.
struct Printer<'a> {
    pool: &'a Pool,
    variable: &'a dyn Fn(u32) -> Variable,
    /// What a pointer of this value points to.
    address: &'a dyn Fn(u64) -> Option<String>,
}

/// A printed expression.
struct Text {
    text: String,
    /// How tightly its outermost operator binds; larger binds more tightly.
    binding: u8,
    reading: Option<Reading>,
}

const ATOM: u8 = 10;
const PREFIX: u8 = 9;
const FACTOR: u8 = 8;
const SUM: u8 = 7;
const SHIFT: u8 = 6;
const COMPARISON: u8 = 5;
const BITS: u8 = 4;
const AND: u8 = 3;
const CHOICE: u8 = 1;

impl Printer<'_> {
    fn clauses(&self, clauses: &Clauses) -> String {
        let mut sets: Vec<(u32, Intervals)> = Vec::new();
        for (hole, _, values) in clauses.sets() {
            match sets.last_mut() {
                Some((last, known)) if *last == hole => *known = known.intersection(values),
                _ => sets.push((hole, values.clone())),
            }
        }
        // The addresses of variables are the same in all states that come here.
        let all = sets.len();
        sets.retain(|(hole, values)| !self.is_address_of_variable(*hole, values));
        let mut hidden = all - sets.len();
        // What a pointer points to is seldom why a path was cut off.
        let (pointers, numbers): (Vec<_>, Vec<_>) =
            sets.iter().partition(|(hole, _)| (self.variable)(*hole).reading == Some(Reading::Pointer));
        let set = |(hole, values): &(u32, Intervals)| self.set(*hole, values);
        let parts = numbers.into_iter().map(set).chain(clauses.others().map(|clause| self.clause(clause)));
        let mut parts: Vec<String> = parts.chain(pointers.into_iter().map(set)).collect();
        if parts.is_empty() {
            return "any state".to_string();
        }
        if parts.len() > MAX_PARTS {
            hidden += parts.len() - MAX_PARTS;
            parts.truncate(MAX_PARTS);
            parts.push(format!("… ({hidden} more)"));
        }
        parts.join(" && ")
    }

    /// A value that the compiler introduced is the address of a variable or a function.
    fn is_address_of_variable(&self, hole: u32, values: &Intervals) -> bool {
        let Some(address) = values.single().and_then(|value| u64::try_from(value).ok()) else { return false };
        address != 0 && (self.variable)(hole).is_temporary && (self.address)(address).is_some()
    }

    /// A variable has one of these values.
    fn set(&self, hole: u32, values: &Intervals) -> String {
        let Variable { text, width, reading, .. } = (self.variable)(hole);
        let print = |value: u128| self.constant(value, width, reading);
        let signed = reading.is_none_or(|reading| reading == Reading::Signed);
        let (inside, outside) = (ordered(values, width, signed), ordered(&values.complement(width), width, signed));
        let all = u128::MAX >> (128 - u32::from(width));
        let bounds = if signed { (all / 2 + 1, all / 2) } else { (0, all) };
        if let ([(first, last)], Some(Reading::Pointer)) = (&outside[..], reading)
            && first == last
        {
            return format!("{text} != {}", print(*first));
        }
        in_intervals(&text, &inside, &outside, bounds, &print)
    }

    /// Not all conditions hold.
    fn clause(&self, clause: &Clause) -> String {
        let mut budget = MAX_OPERATIONS;
        if let [condition] = clause.conditions[..] {
            return self.negated(condition, &mut budget, 0).at_least(COMPARISON);
        }
        let conditions = clause.conditions.iter().map(|condition| self.expr(*condition, &mut budget, 0).at_least(AND));
        format!("!({})", conditions.collect::<Vec<_>>().join(" && "))
    }

    fn negated(&self, condition: Expr, budget: &mut usize, depth: usize) -> Text {
        let comparison = |op: BinaryOp, a, b, budget: &mut usize| self.comparison(op, a, b, true, budget, depth);
        match self.pool.node(condition) {
            Node::Unary(UnaryOp::Not, inner) => self.expr(inner, budget, depth),
            Node::Binary(op, a, b) if op.is_comparison() => comparison(op, a, b, budget),
            Node::Binary(op, a, b) if self.is_negation(op, b) => self.expr(a, budget, depth),
            _ => Text::new(format!("!{}", self.expr(condition, budget, depth).at_least(PREFIX)), PREFIX),
        }
    }

    /// In a single bit, adding 1 is a negation.
    fn is_negation(&self, op: BinaryOp, operand: Expr) -> bool {
        let flips = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor);
        flips && self.pool.width(operand) == 1 && self.pool.as_const(operand) == Some(1)
    }

    fn comparison(&self, op: BinaryOp, a: Expr, b: Expr, negated: bool, budget: &mut usize, depth: usize) -> Text {
        if self.pool.as_const(a).is_some() && self.pool.as_const(b).is_none() && op != BinaryOp::Eq {
            // `3 < x` is `x > 3`, the negation of `x <= 3`.
            let mirrored = match op {
                BinaryOp::Ult => BinaryOp::Ule,
                BinaryOp::Ule => BinaryOp::Ult,
                BinaryOp::Slt => BinaryOp::Sle,
                _ => BinaryOp::Slt,
            };
            return self.comparison(mirrored, b, a, !negated, budget, depth);
        }
        let sign = match (op, negated) {
            (BinaryOp::Eq, false) => "==",
            (BinaryOp::Eq, true) => "!=",
            (BinaryOp::Ult | BinaryOp::Slt, false) => "<",
            (BinaryOp::Ult | BinaryOp::Slt, true) => ">=",
            (_, false) => "<=",
            (_, true) => ">",
        };
        let wanted = match op {
            BinaryOp::Slt | BinaryOp::Sle => Some(Reading::Signed),
            BinaryOp::Ult | BinaryOp::Ule => Some(Reading::Unsigned),
            _ => None,
        };
        let (a, b) = self.pair(a, b, wanted, budget, depth);
        let side = |text: Text| match (wanted, text.reading) {
            (Some(Reading::Unsigned), Some(Reading::Signed)) => format!("(unsigned){}", text.at_least(PREFIX)),
            (Some(Reading::Signed), Some(Reading::Unsigned)) => format!("(signed){}", text.at_least(PREFIX)),
            _ => text.at_least(SHIFT),
        };
        Text::new(format!("{} {sign} {}", side(a), side(b)), COMPARISON)
    }

    /// Two operands; a constant is read like the other one.
    fn pair(&self, a: Expr, b: Expr, wanted: Option<Reading>, budget: &mut usize, depth: usize) -> (Text, Text) {
        let width = self.pool.width(a);
        let constant = |value: u128, other: Option<Reading>| {
            let reading = wanted.or(other);
            Text { text: self.constant(value, width, reading), binding: ATOM, reading }
        };
        match (self.pool.as_const(a), self.pool.as_const(b)) {
            (None, Some(value)) => {
                let a = self.expr(a, budget, depth);
                let reading = a.reading;
                (a, constant(value, reading))
            }
            (Some(value), None) => {
                let b = self.expr(b, budget, depth);
                (constant(value, b.reading), b)
            }
            _ => (self.expr(a, budget, depth), self.expr(b, budget, depth)),
        }
    }

    fn expr(&self, e: Expr, budget: &mut usize, depth: usize) -> Text {
        if *budget == 0 || depth > MAX_DEPTH {
            return Text::new("…".to_string(), ATOM);
        }
        *budget -= 1;
        let depth = depth + 1;
        let width = self.pool.width(e);
        let call = |name: &str, args: &[Expr], budget: &mut usize| {
            let args: Vec<String> = args.iter().map(|arg| self.expr(*arg, budget, depth).text).collect();
            Text::new(format!("{name}({})", args.join(", ")), ATOM)
        };
        match self.pool.node(e) {
            Node::Const { width, value } => Text::new(self.constant(value, width, None), ATOM),
            Node::Input { first, bytes: 1 } => Text::new(format!("in[{first}]"), ATOM),
            Node::Input { first, bytes } => Text::new(format!("in[{first}..{}]", first + u32::from(bytes)), ATOM),
            Node::Hole { id, .. } => {
                let Variable { text, reading, .. } = (self.variable)(id);
                let binding = if text.contains(' ') { CHOICE } else { ATOM };
                Text { text, binding, reading }
            }
            Node::Unary(UnaryOp::Not, a) if width == 1 => self.negated(a, budget, depth),
            Node::Unary(op, a) => {
                let sign = if op == UnaryOp::Not { "~" } else { "-" };
                Text::new(format!("{sign}{}", self.expr(a, budget, depth).at_least(PREFIX)), PREFIX)
            }
            Node::Binary(op, a, b) if op.is_comparison() => self.comparison(op, a, b, false, budget, depth),
            Node::Binary(op, a, b) => self.binary(op, a, b, budget, depth),
            Node::Ite(c, a, b) => {
                let c = self.expr(c, budget, depth).at_least(AND);
                let (a, b) = self.pair(a, b, None, budget, depth);
                let reading = a.reading.or(b.reading);
                let text = format!("{c} ? {} : {}", a.at_least(AND), b.at_least(AND));
                Text { text, binding: CHOICE, reading }
            }
            Node::Concat(high, low) => call("concat", &[high, low], budget),
            Node::Extract { e, low: 0, width: width @ (8 | 16 | 32) } => {
                let ty = match width {
                    8 => "char",
                    16 => "short",
                    _ => "int",
                };
                Text::new(format!("({ty}){}", self.expr(e, budget, depth).at_least(PREFIX)), PREFIX)
            }
            Node::Extract { e, low, width } => {
                let inner = self.expr(e, budget, depth);
                Text::new(format!("bits {low} to {} of {}", low + width - 1, inner.at_least(PREFIX)), CHOICE)
            }
            // The value stays the same unless it is negative.
            Node::ZExt(inner, _) => {
                let inner = self.expr(inner, budget, depth);
                match inner.reading {
                    Some(Reading::Signed) => Text {
                        text: format!("(unsigned){}", inner.at_least(PREFIX)),
                        binding: PREFIX,
                        reading: Some(Reading::Unsigned),
                    },
                    _ => inner,
                }
            }
            Node::SExt(inner, _) => {
                let inner = self.expr(inner, budget, depth);
                match inner.reading {
                    Some(Reading::Unsigned) => Text {
                        text: format!("(signed){}", inner.at_least(PREFIX)),
                        binding: PREFIX,
                        reading: Some(Reading::Signed),
                    },
                    _ => inner,
                }
            }
            Node::Float(op @ (FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div), _, a, b) => {
                let (sign, binding) = match op {
                    FloatOp::Add => ("+", SUM),
                    FloatOp::Sub => ("-", SUM),
                    FloatOp::Mul => ("*", FACTOR),
                    _ => ("/", FACTOR),
                };
                let (a, b) = self.pair(a, b, Some(Reading::Float), budget, depth);
                let text = format!("{} {sign} {}", a.at_least(binding), b.at_least(binding + 1));
                Text { text, binding, reading: Some(Reading::Float) }
            }
            Node::Float(op, _, a, b) => call(&format!("{op:?}").to_lowercase(), &[a, b], budget),
            Node::FloatUn(op, _, a) => call(&format!("{op:?}").to_lowercase(), &[a], budget),
            Node::FloatCmp(cmp, a, b) => self.float_comparison(cmp, a, b, budget, depth),
            Node::FloatCast(op, _, a, _) => call(&format!("{op:?}").to_lowercase(), &[a], budget),
            Node::FusedMulAdd(_, a, b, c) => call("fma", &[a, b, c], budget),
            Node::Select { index, .. } => {
                let index = self.expr(index, budget, depth).text;
                Text::new(format!("element[{index}]"), ATOM)
            }
            Node::Native { function, args } => {
                let name = function.name(self.pool.width(args[0]));
                call(name, &args, budget)
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr, budget: &mut usize, depth: usize) -> Text {
        let is_condition = self.pool.width(a) == 1;
        if is_condition && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor) {
            if self.is_negation(op, b) {
                return self.negated(a, budget, depth);
            }
            let (a, b) = self.pair(a, b, None, budget, depth);
            return Text::new(format!("{} != {}", a.at_least(PREFIX), b.at_least(PREFIX)), COMPARISON);
        }
        let (sign, binding) = match op {
            BinaryOp::Add => ("+", SUM),
            BinaryOp::Sub => ("-", SUM),
            BinaryOp::Mul => ("*", FACTOR),
            BinaryOp::UDiv | BinaryOp::SDiv => ("/", FACTOR),
            BinaryOp::URem | BinaryOp::SRem => ("%", FACTOR),
            BinaryOp::And if is_condition => ("&&", AND),
            BinaryOp::Or if is_condition => ("||", CHOICE + 1),
            BinaryOp::And => ("&", BITS),
            BinaryOp::Or => ("|", BITS),
            BinaryOp::Xor => ("^", BITS),
            BinaryOp::Shl => ("<<", SHIFT),
            _ => (">>", SHIFT),
        };
        // A sum with a negative constant is a difference.
        if let (BinaryOp::Add, Some(value)) = (op, self.pool.as_const(b))
            && let negative @ ..0 = as_signed(value, self.pool.width(b))
        {
            let a = self.expr(a, budget, depth);
            let text = format!("{} - {}", a.at_least(SUM), negative.unsigned_abs());
            return Text { text, binding: SUM, reading: a.reading };
        }
        let (a, b) = self.pair(a, b, None, budget, depth);
        let reading = a.reading.or(b.reading);
        Text { text: format!("{} {sign} {}", a.at_least(binding), b.at_least(binding + 1)), binding, reading }
    }

    fn float_comparison(&self, cmp: FloatCmp, a: Expr, b: Expr, budget: &mut usize, depth: usize) -> Text {
        let (a, b) = self.pair(a, b, Some(Reading::Float), budget, depth);
        let sides = (a.at_least(SHIFT), b.at_least(SHIFT));
        let sign = |cmp: FloatCmp| match (cmp.less, cmp.equal, cmp.greater, cmp.unordered) {
            (true, false, false, false) => Some("<"),
            (true, true, false, false) => Some("<="),
            (false, true, false, false) => Some("=="),
            (false, true, true, false) => Some(">="),
            (false, false, true, false) => Some(">"),
            _ => None,
        };
        match (sign(cmp), sign(cmp.negated())) {
            (Some(sign), _) => Text::new(format!("{} {sign} {}", sides.0, sides.1), COMPARISON),
            (None, Some(sign)) => Text::new(format!("!({} {sign} {})", sides.0, sides.1), PREFIX),
            (None, None) => Text::new(format!("isunordered({}, {})", sides.0, sides.1), ATOM),
        }
    }

    fn constant(&self, value: u128, width: u8, reading: Option<Reading>) -> String {
        match reading {
            _ if width == 1 => value.to_string(),
            Some(Reading::Float) if width == 32 => f32::from_bits(value as u32).to_string(),
            Some(Reading::Float) if width == 64 => f64::from_bits(value as u64).to_string(),
            Some(Reading::Pointer) => {
                u64::try_from(value).ok().and_then(self.address).unwrap_or_else(|| format!("{value:#x}"))
            }
            None if width == 64 && value >> 32 != 0 => {
                let pointed_to = u64::try_from(value).ok().and_then(self.address);
                pointed_to.unwrap_or_else(|| as_signed(value, width).to_string())
            }
            None | Some(Reading::Signed) => as_signed(value, width).to_string(),
            _ => value.to_string(),
        }
    }
}

impl Text {
    fn new(text: String, binding: u8) -> Text {
        Text { text, binding, reading: None }
    }

    /// The text as an operand of something that binds this tightly.
    fn at_least(&self, binding: u8) -> String {
        if self.binding >= binding { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The value of two's complement bits.
fn as_signed(value: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}

/// The intervals of a set in the order of numbers. As signed numbers, those with the highest bit come first.
fn ordered(values: &Intervals, width: u8, signed: bool) -> Vec<(u128, u128)> {
    let half = 1u128 << (width - 1);
    let mut parts: Vec<(u128, u128)> = Vec::new();
    for (first, last) in values.parts() {
        if signed && first < half && last >= half {
            parts.extend([(first, half - 1), (half, last)]);
        } else {
            parts.push((first, last));
        }
    }
    if signed {
        parts.sort_by_key(|(first, _)| *first < half);
        // What follows -1 is 0.
        let all = u128::MAX >> (128 - u32::from(width));
        if let Some(at) = parts.windows(2).position(|pair| pair[0].1 == all && pair[1].0 == 0) {
            parts[at].1 = parts[at + 1].1;
            parts.remove(at + 1);
        }
    }
    parts
}

/// A variable is in one of these intervals; or, if that is shorter, in none of the others.
fn in_intervals(
    name: &str,
    inside: &[(u128, u128)],
    outside: &[(u128, u128)],
    (least, greatest): (u128, u128),
    print: &dyn Fn(u128) -> String,
) -> String {
    if let [(first, last)] = outside
        && inside.len() > 1
    {
        return if first == last {
            format!("{name} != {}", print(*first))
        } else {
            format!("({name} < {} || {name} > {})", print(*first), print(*last))
        };
    }
    let one = |(first, last): &(u128, u128)| match (*first == least, *last == greatest) {
        _ if first == last => format!("{name} == {}", print(*first)),
        (true, true) => format!("{name} has any value"),
        (true, false) => format!("{name} <= {}", print(*last)),
        (false, true) => format!("{name} >= {}", print(*first)),
        (false, false) => format!("{} <= {name} <= {}", print(*first), print(*last)),
    };
    if let [only] = inside {
        return one(only);
    }
    let mut parts: Vec<String> = inside.iter().take(MAX_INTERVALS).map(one).collect();
    if inside.len() > MAX_INTERVALS {
        parts.push(format!("… ({} more)", inside.len() - MAX_INTERVALS));
    }
    format!("({})", parts.join(" || "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clauses::Core;

    /// What is printed of the clause that the conditions which `make` builds do not all hold. Hole 0 is `int count`,
    /// hole 1 `unsigned n`, hole 2 a pointer, hole 3 `char c`, and hole 4 of an unknown type.
    fn excluded(make: impl Fn(&mut Pool) -> Vec<Expr>) -> String {
        let mut pool = Pool::default();
        let conditions = make(&mut pool);
        let mut clauses = Clauses::default();
        clauses.exclude(&mut pool, &conditions, Core::new()).unwrap();
        let variable = |hole| {
            let (text, width, reading) = match hole {
                0 => ("count", 32, Some(Reading::Signed)),
                1 => ("n", 32, Some(Reading::Unsigned)),
                2 => ("p->next", 64, Some(Reading::Pointer)),
                3 => ("c", 8, Some(Reading::Signed)),
                _ => ("malloc@7 bytes 4 to 7", 32, None),
            };
            Variable { text: text.to_string(), width, reading, is_temporary: false }
        };
        let address = |address| (address == 0).then(|| "NULL".to_string());
        Printer { pool: &pool, variable: &variable, address: &address }.clauses(&clauses)
    }

    #[test]
    fn sets_are_bounds_in_the_order_of_their_type() {
        let above = |hole: u32, bound: u128| {
            move |pool: &mut Pool| {
                let (x, bound) = (pool.hole(hole, 32), pool.constant(32, bound));
                vec![if hole == 1 { pool.ult(bound, x) } else { pool.slt(bound, x) }]
            }
        };
        assert_eq!(excluded(above(0, 93)), "count <= 93");
        assert_eq!(excluded(above(0, u128::from(-3i32 as u32))), "count <= -3");
        assert_eq!(excluded(above(1, 93)), "n <= 93");
        assert_eq!(excluded(above(1, 3_000_000_000)), "n <= 3000000000");
        assert_eq!(excluded(above(4, 93)), "malloc@7 bytes 4 to 7 <= 93");
    }

    #[test]
    fn sets_are_printed_by_what_is_shorter() {
        let eq = |hole: u32, width: u8, value: u128| {
            move |pool: &mut Pool| {
                let (x, value) = (pool.hole(hole, width), pool.constant(width, value));
                vec![pool.eq(x, value)]
            }
        };
        assert_eq!(excluded(eq(0, 32, 7)), "count != 7");
        assert_eq!(excluded(eq(2, 64, 0)), "p->next != NULL");
        let ne = |pool: &mut Pool| {
            let (x, value) = (pool.hole(0, 32), pool.constant(32, u128::from(-1i32 as u32)));
            vec![pool.ne(x, value)]
        };
        assert_eq!(excluded(ne), "count == -1");
        let outside = |pool: &mut Pool| {
            let (x, low, high) = (pool.hole(0, 32), pool.constant(32, 3), pool.constant(32, 9));
            let (below, above) = (pool.slt(x, low), pool.slt(high, x));
            vec![pool.or(below, above)]
        };
        assert_eq!(excluded(outside), "3 <= count <= 9");
        let inside = |pool: &mut Pool| {
            let (x, low, high) = (pool.hole(0, 32), pool.constant(32, 3), pool.constant(32, 9));
            vec![pool.sle(low, x), pool.sle(x, high)]
        };
        assert_eq!(excluded(inside), "(count < 3 || count > 9)");
    }

    #[test]
    fn clauses_on_several_variables_are_expressions_of_c() {
        let sum = |pool: &mut Pool| {
            let (count, n, limit) = (pool.hole(0, 32), pool.hole(1, 32), pool.constant(32, 100));
            let sum = pool.add(count, n);
            vec![pool.slt(limit, sum)]
        };
        assert_eq!(excluded(sum), "count + n <= 100");
        let both = |pool: &mut Pool| {
            let (count, n) = (pool.hole(0, 32), pool.hole(1, 32));
            let one = pool.constant(32, 1);
            let less = pool.sub(n, one);
            let (two, six) = (pool.constant(32, 2), pool.constant(32, 6));
            let product = pool.mul(count, less);
            vec![pool.eq(product, six), pool.ult(two, n)]
        };
        assert_eq!(excluded(both), "!(count * (n - 1) == 6 && n > 2)");
        let widened = |pool: &mut Pool| {
            let (c, n) = (pool.hole(3, 8), pool.hole(1, 32));
            let c = pool.sext(c, 32);
            vec![pool.ult(c, n)]
        };
        assert_eq!(excluded(widened), "(unsigned)c >= n");
    }

    #[test]
    fn long_clauses_are_cut() {
        let long = |pool: &mut Pool| {
            let (mut sum, n) = (pool.hole(0, 32), pool.hole(1, 32));
            for factor in 0..500u32 {
                let (odd, term) = (pool.constant(32, u128::from(factor * 2 + 3)), pool.mul(n, sum));
                let term = pool.xor(term, odd);
                sum = pool.add(sum, term);
            }
            vec![pool.slt(sum, n)]
        };
        let text = excluded(long);
        assert!(text.contains('…') && text.len() < 2000, "{text}");
    }
}
