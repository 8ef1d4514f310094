//! The objects that an address may have been derived from, as far as its expression shows.
//!
//! An address is usually a constant, a choice of constants, or one of these plus an offset. But a pointer can also be
//! assembled from pieces that were chosen separately: a copy in halves, or a read at an offset that is not a multiple
//! of 8. The possible pointers are found by enumerating the cases of the choices, since the pieces of one pointer are
//! usually chosen by the same expressions.

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{Array, ArrayNode, BinaryOp, Expr, Node, Pool, UnaryOp};
use secateur_program::{OFFSET_BITS, ObjectId};

use crate::tuning::Tuning;

/// Addresses are below 2 to the power of this.
const ADDRESS_BITS: u32 = 47;

/// The constants that an address may have been derived from.
pub(crate) struct Origins {
    /// Without repetition, in an order that depends on the expression alone.
    pub addresses: Vec<u64>,
    /// The addresses to which at most an offset is added. One that is not in an object may be only a part of a pointer.
    pub bases: Vec<u64>,
    /// There are no others: an address outside of their objects is out of bounds.
    pub complete: bool,
}

/// What a part of an address is to the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is the address, or the base to which an offset is added.
    Base,
    /// It is added to a pointer.
    Offset,
    /// It is an operand of an expression that was judged as a whole.
    Operand,
}

/// The 64-bit constants that an address may have been derived from.
pub(crate) fn origins(pool: &Pool, tuning: &Tuning, address: Expr) -> Origins {
    let mut found = Origins { addresses: Vec::new(), bases: Vec::new(), complete: true };
    let mut seen = FxHashSet::default();
    let mut stack = vec![(address, Role::Base)];
    while let Some((expr, mut role)) = stack.pop() {
        if pool.width(expr) != 64 || !seen.insert(expr) {
            continue;
        }
        if seen.len() > tuning.address_nodes {
            found.complete = false;
            break;
        }
        if role == Role::Offset && stays_in_object(pool, expr) {
            role = Role::Operand;
        }
        if let Some(bits) = pool.as_const(expr) {
            found.add(bits as u64);
            match role {
                Role::Base => found.bases.push(bits as u64),
                // The difference of two addresses leads from one object to another.
                Role::Offset if is_distance(bits as u64) => found.complete = false,
                Role::Offset | Role::Operand => {}
            }
            continue;
        }
        match pool.node(expr) {
            Node::Ite(_, a, b) => stack.extend([(b, role), (a, role)]),
            Node::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let beside =
                    |other| if role == Role::Base && is_pointer(pool, tuning, other) { Role::Offset } else { role };
                stack.extend([(b, beside(a)), (a, beside(b))]);
            }
            Node::Select { mut array, .. } => loop {
                match pool.array_node(array) {
                    ArrayNode::Table(elements) => {
                        break stack.extend(elements.iter().map(|element| (*element, role)));
                    }
                    ArrayNode::Store { array: older, value, .. } => {
                        stack.push((value, role));
                        array = older;
                    }
                }
            },
            node => {
                if let Node::Binary(_, a, b) = node {
                    stack.extend([(b, Role::Operand), (a, Role::Operand)]);
                }
                match role {
                    Role::Base => found.add_pieces(pool, tuning, expr),
                    Role::Offset if contains_address(pool, tuning, expr) => found.complete = false,
                    Role::Offset | Role::Operand => {}
                }
            }
        }
    }
    found
}

/// An offset that is too small to lead from one object to another.
fn stays_in_object(pool: &Pool, offset: Expr) -> bool {
    let (low, high) = pool.unsigned_range(offset);
    let (low, high) = (low as u64 as i64, high as u64 as i64);
    let half = 1 << (OFFSET_BITS - 1);
    // Unsigned bounds from a positive to a negative number include everything between; then `low > high`.
    -half <= low && low <= high && high < half
}

/// Whether an address, or the difference of two, is a part of the expression, however deep.
fn contains_address(pool: &Pool, tuning: &Tuning, expr: Expr) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        let width = pool.width(expr);
        if u32::from(width) < OFFSET_BITS || !seen.insert(expr) {
            continue;
        }
        // A narrower constant is more likely one of a hash than the part of an address.
        let is_wide = u32::from(width) > ADDRESS_BITS;
        let distance = pool.as_const(expr).is_some_and(|bits| is_wide && is_distance(bits as u64));
        if distance || seen.len() > tuning.address_nodes {
            return true;
        }
        match pool.node(expr) {
            node if is_multiple_of_distance(pool, node) => return true,
            // What selects is no part of the value.
            Node::Ite(_, a, b) => stack.extend([a, b]),
            Node::Select { mut array, .. } => loop {
                match pool.array_node(array) {
                    ArrayNode::Table(elements) => break stack.extend(elements.iter().copied()),
                    ArrayNode::Store { array: older, value, .. } => {
                        stack.push(value);
                        array = older;
                    }
                }
            },
            Node::Unary(_, e)
            | Node::Extract { e, .. }
            | Node::ZExt(e, _)
            | Node::SExt(e, _)
            | Node::FloatUn(_, _, e)
            | Node::FloatCast(_, _, e, _) => stack.push(e),
            Node::Binary(_, a, b) | Node::Concat(a, b) | Node::Float(_, _, a, b) => stack.extend([a, b]),
            Node::FusedMulAdd(_, a, b, c) => stack.extend([a, b, c]),
            _ => {}
        }
    }
    false
}

/// A product with a distance that is a power of two has become a shift, which is a concatenation with zeros.
fn is_multiple_of_distance(pool: &Pool, node: Node) -> bool {
    matches!(node, Node::Concat(_, low) if pool.as_const(low) == Some(0) && is_distance(1 << pool.width(low).min(63)))
}

/// As far as from one object to another, or from 0 to an object.
fn is_distance(bits: u64) -> bool {
    (1 << (OFFSET_BITS - 1)..1 << ADDRESS_BITS).contains(&(bits as i64).unsigned_abs())
}

/// Whether the expression is a pointer to an object, or a choice of such pointers.
fn is_pointer(pool: &Pool, tuning: &Tuning, mut expr: Expr) -> bool {
    for _ in 0..tuning.address_nodes {
        let names_object = |e| pool.as_const(e).map(|bits| ObjectId::nearest_to(bits as u64).0 != 0);
        expr = match pool.node(expr) {
            // The other side of a choice with null shows whether it is a pointer.
            Node::Ite(_, a, b) if names_object(a) == Some(false) => b,
            Node::Ite(_, a, _) => a,
            Node::Select { array, .. } => match pool.array_node(array) {
                ArrayNode::Table(elements) => elements[0],
                ArrayNode::Store { value, .. } => value,
            },
            _ => return names_object(expr) == Some(true),
        };
    }
    false
}

impl Origins {
    fn add(&mut self, address: u64) {
        if !self.addresses.contains(&address) {
            self.addresses.push(address);
        }
    }

    /// Adds the possible values of an expression assembled from pieces.
    fn add_pieces(&mut self, pool: &Pool, tuning: &Tuning, expr: Expr) {
        let Some(pieces) = Pieces::of(pool, tuning, expr) else {
            self.complete = false;
            return;
        };
        let mut case: Vec<usize> = vec![0; pieces.selectors.len()];
        let mut seen = FxHashSet::default();
        loop {
            let bits = pieces.evaluate(pool, &case);
            if seen.insert(bits) {
                if bits.identifies_object() {
                    self.add(bits.value as u64);
                } else if pieces.has_constants {
                    self.complete = false;
                }
            }
            // The next combination, as a number whose digits are the cases of the selectors.
            let mut position = 0;
            while position < case.len() && case[position] == pieces.selectors[position].values.len() {
                case[position] = 0;
                position += 1;
            }
            match case.get_mut(position) {
                Some(digit) => *digit += 1,
                None => return,
            }
        }
    }
}

/// An expression, decomposed into constants and opaque leaves.
struct Pieces {
    root: Expr,
    /// All nodes that are not constants, each after its operands.
    nodes: Vec<Expr>,
    selectors: Vec<Selector>,
    /// For each choice, the index of its selector and the value that selects its first operand.
    choices: FxHashMap<Expr, (usize, u128)>,
    /// The expression contains a constant other than 0, so it may be a pointer even if its object is unknown.
    has_constants: bool,
}

/// An expression that selects, with the values that make a difference. Any other value is one more case.
struct Selector {
    expr: Expr,
    /// In ascending order.
    values: Vec<u128>,
}

/// A value with some known bits; the others are 0 in `value`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Bits {
    value: u128,
    known: u128,
}

impl Pieces {
    /// `None` if there are too many nodes or cases.
    fn of(pool: &Pool, tuning: &Tuning, root: Expr) -> Option<Pieces> {
        let mut pieces = Pieces {
            root,
            nodes: Vec::new(),
            selectors: Vec::new(),
            choices: FxHashMap::default(),
            has_constants: false,
        };
        let mut seen = FxHashSet::default();
        let mut stack = vec![(root, false)];
        while let Some((expr, has_operands)) = stack.pop() {
            if has_operands {
                pieces.nodes.push(expr);
                continue;
            }
            if let Some(bits) = pool.as_const(expr) {
                pieces.has_constants |= bits != 0;
                continue;
            }
            if !seen.insert(expr) {
                continue;
            }
            if seen.len() > tuning.address_nodes {
                return None;
            }
            stack.push((expr, true));
            let mut visit = |e| stack.push((e, false));
            let node = pool.node(expr);
            pieces.has_constants |= is_multiple_of_distance(pool, node);
            match node {
                // A condition that was extended to a mask selects, too.
                Node::Binary(..) if pool.width(expr) == 1 => pieces.add_choice(pool, expr, expr),
                Node::Ite(condition, a, b) => {
                    pieces.add_choice(pool, expr, condition);
                    visit(a);
                    visit(b);
                }
                Node::Select { array, index } => {
                    let elements = elements(pool, array)?;
                    let values = 0..elements.len() as u128;
                    let selector = pieces.add_selector(index, values);
                    pieces.choices.insert(expr, (selector, 0));
                    elements.iter().for_each(|element| visit(*element));
                }
                Node::Unary(UnaryOp::Not | UnaryOp::Neg, e)
                | Node::Extract { e, .. }
                | Node::ZExt(e, _)
                | Node::SExt(e, _) => visit(e),
                Node::Concat(a, b)
                | Node::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub, a, b) => {
                    visit(a);
                    visit(b);
                }
                Node::Binary(BinaryOp::Shl | BinaryOp::LShr, a, by) if pool.as_const(by).is_some() => visit(a),
                // An opaque leaf: a product, a remainder, a shift by an unknown number.
                _ => pieces.has_constants |= contains_address(pool, tuning, expr),
            }
        }
        let cases =
            pieces.selectors.iter().try_fold(1usize, |cases, selector| cases.checked_mul(selector.values.len() + 1));
        cases.filter(|cases| *cases <= tuning.address_cases).map(|_| pieces)
    }

    /// Notes what selects the first operand of a choice: the condition, or, if it compares an expression with a
    /// constant, that expression and constant.
    fn add_choice(&mut self, pool: &Pool, chooser: Expr, condition: Expr) {
        let compared = match pool.node(condition) {
            Node::Binary(BinaryOp::Eq, a, b) => match (pool.as_const(a), pool.as_const(b)) {
                (Some(value), _) => Some((b, value)),
                (_, Some(value)) => Some((a, value)),
                _ => None,
            },
            _ => None,
        };
        let (expr, value) = compared.unwrap_or((condition, 1));
        let selector = self.add_selector(expr, std::iter::once(value));
        self.choices.insert(chooser, (selector, value));
    }

    fn add_selector(&mut self, expr: Expr, values: impl Iterator<Item = u128>) -> usize {
        let index = self.selectors.iter().position(|selector| selector.expr == expr).unwrap_or(self.selectors.len());
        if index == self.selectors.len() {
            self.selectors.push(Selector { expr, values: Vec::new() });
        }
        let known = &mut self.selectors[index].values;
        for value in values {
            if let Err(place) = known.binary_search(&value) {
                known.insert(place, value);
            }
        }
        index
    }

    /// The known bits of the expression in one case: for each selector the index of its value, or the number of its
    /// values for any other value.
    fn evaluate(&self, pool: &Pool, case: &[usize]) -> Bits {
        let mut values: FxHashMap<Expr, Bits> = FxHashMap::default();
        for &node in &self.nodes {
            let bits = {
                let get = |e: Expr| match pool.as_const(e) {
                    Some(value) => Bits::constant(value, pool.width(e)),
                    None => values.get(&e).copied().unwrap_or(Bits::UNKNOWN),
                };
                let chosen = |e: &Expr| {
                    let (selector, first) = self.choices[e];
                    (self.selectors[selector].values.get(case[selector]).copied(), first)
                };
                let width = pool.width(node);
                let bits = match pool.node(node) {
                    Node::Binary(..) if width == 1 => {
                        let (value, first) = chosen(&node);
                        Bits::constant(u128::from(value == Some(first)), 1)
                    }
                    Node::Ite(_, a, b) => {
                        let (value, first) = chosen(&node);
                        get(if value == Some(first) { a } else { b })
                    }
                    Node::Select { array, .. } => match (chosen(&node).0, pool.array_node(array)) {
                        (Some(index), ArrayNode::Table(elements)) => {
                            elements.get(index as usize).map_or(Bits::constant(0, width), |element| get(*element))
                        }
                        _ => Bits::constant(0, width),
                    },
                    Node::Concat(hi, lo) => get(hi).above(get(lo), pool.width(lo)),
                    Node::Extract { e, low, .. } => {
                        let bits = get(e);
                        Bits { value: bits.value >> low, known: bits.known >> low }
                    }
                    Node::ZExt(e, _) => Bits::constant(0, width - pool.width(e)).above(get(e), pool.width(e)),
                    Node::SExt(e, _) => {
                        let (bits, top) = (get(e), pool.width(e) - 1);
                        let fill = |bits: u128| if bits >> top & 1 == 1 { bits | u128::MAX << top } else { bits };
                        Bits { value: fill(bits.value), known: fill(bits.known) }
                    }
                    Node::Unary(UnaryOp::Not, e) => {
                        let bits = get(e);
                        Bits { value: !bits.value & bits.known, known: bits.known }
                    }
                    Node::Unary(UnaryOp::Neg, e) => binary(BinaryOp::Sub, Bits::constant(0, width), get(e), width),
                    Node::Binary(op, a, b) => binary(op, get(a), get(b), width),
                    _ => Bits::UNKNOWN,
                };
                bits.truncated(width)
            };
            values.insert(node, bits);
        }
        values.get(&self.root).copied().unwrap_or(Bits::UNKNOWN)
    }
}

impl Bits {
    const UNKNOWN: Bits = Bits { value: 0, known: 0 };

    fn constant(value: u128, width: u8) -> Bits {
        Bits { value, known: u128::MAX }.truncated(width)
    }

    fn truncated(self, width: u8) -> Bits {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        Bits { value: self.value & mask, known: self.known & mask }
    }

    fn above(self, low: Bits, low_width: u8) -> Bits {
        Bits { value: self.value << low_width | low.value, known: self.known << low_width | low.known }
    }

    /// All bits of an address above the offset in an object are known.
    fn identifies_object(self) -> bool {
        self.known as u64 >> OFFSET_BITS == u64::MAX >> OFFSET_BITS
    }
}

fn binary(op: BinaryOp, a: Bits, b: Bits, width: u8) -> Bits {
    let full = Bits::constant(u128::MAX, width).known;
    let both = a.known & full == full && b.known & full == full;
    match op {
        BinaryOp::And => {
            let zero = a.known & !a.value | b.known & !b.value;
            Bits { value: a.value & b.value, known: a.known & b.known | zero }
        }
        BinaryOp::Or => {
            let value = a.value | b.value;
            Bits { value, known: a.known & b.known | value }
        }
        BinaryOp::Xor => {
            let known = a.known & b.known;
            Bits { value: (a.value ^ b.value) & known, known }
        }
        BinaryOp::Add if both => Bits::constant(a.value.wrapping_add(b.value), width),
        BinaryOp::Sub if both => Bits::constant(a.value.wrapping_sub(b.value), width),
        BinaryOp::Shl | BinaryOp::LShr if b.known & full == full && b.value < u128::from(width) => {
            let by = b.value as u32;
            if op == BinaryOp::Shl {
                Bits { value: a.value << by, known: a.known << by | ((1 << by) - 1) }
            } else {
                Bits { value: a.value >> by, known: (a.known | !full) >> by }
            }
        }
        // Adding an unknown offset leaves a pointer in its object.
        BinaryOp::Add | BinaryOp::Sub if width == 64 && a.known & full == full && a.value != 0 => a,
        BinaryOp::Add if width == 64 && b.known & full == full && b.value != 0 => b,
        _ => Bits::UNKNOWN,
    }
}

/// The elements of an array without stores.
fn elements(pool: &Pool, array: Array) -> Option<&[Expr]> {
    match pool.array_node(array) {
        ArrayNode::Table(elements) => Some(elements),
        ArrayNode::Store { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use secateur_expr::Valuation;

    use super::*;

    /// With the default numbers.
    fn origins(pool: &Pool, address: Expr) -> Origins {
        super::origins(pool, &Tuning::default(), address)
    }

    const A: u64 = 0x0040_0000_0000;
    const B: u64 = 0x0723_4540_0000;

    fn constant(pool: &mut Pool, value: u64) -> Expr {
        pool.constant(64, value.into())
    }

    /// The condition that an input byte equals a value.
    fn equals(pool: &mut Pool, byte: u32, value: u8) -> Expr {
        let (byte, value) = (pool.input(byte, 1), pool.constant(8, value.into()));
        pool.eq(byte, value)
    }

    /// One of two addresses, as an input byte decides.
    fn choice(pool: &mut Pool, byte: u32, a: u64, b: u64) -> Expr {
        let (a, b) = (constant(pool, a), constant(pool, b));
        let condition = equals(pool, byte, 7);
        pool.ite(condition, a, b)
    }

    /// The upper bits of one expression above the lower ones of another.
    fn assembled(pool: &mut Pool, high: Expr, low: Expr, low_width: u8) -> Expr {
        let (high, low) = (pool.extract(high, low_width, 64 - low_width), pool.extract(low, 0, low_width));
        pool.concat(high, low)
    }

    fn sorted(mut addresses: Vec<u64>) -> Vec<u64> {
        addresses.sort_unstable();
        addresses
    }

    #[test]
    fn halves_chosen_by_one_condition_are_one_pointer() {
        let mut pool = Pool::new();
        let high = choice(&mut pool, 0, A >> 32 << 32, B >> 32 << 32);
        let low = choice(&mut pool, 0, A & 0xffff_ffff, B & 0xffff_ffff);
        let pointer = pool.or(high, low);
        let found = origins(&pool, pointer);
        assert!(found.complete);
        assert!([A, B].iter().all(|address| found.addresses.contains(address)), "{:x?}", found.addresses);
        let mixed = A >> 32 << 32 | B & 0xffff_ffff;
        assert!(!found.addresses.contains(&mixed), "{:x?}", found.addresses);
    }

    #[test]
    fn halves_chosen_by_two_conditions_are_four_pointers() {
        let mut pool = Pool::new();
        let (first, second) = (choice(&mut pool, 0, A, B), choice(&mut pool, 1, A, B));
        let pointer = assembled(&mut pool, first, second, 32);
        let found = origins(&pool, pointer);
        let low = 0xffff_ffff;
        assert!(found.complete);
        assert_eq!(sorted(found.addresses), sorted(vec![A, B, A & !low | B & low, B & !low | A & low]));
    }

    #[test]
    fn an_unknown_offset_leaves_a_pointer_in_its_object() {
        let mut pool = Pool::new();
        let (base, byte) = (choice(&mut pool, 0, A, B), pool.input(1, 1));
        let offset = pool.zext(byte, 64);
        let pointer = pool.add(base, offset);
        let found = origins(&pool, pointer);
        assert!(found.complete);
        assert_eq!(sorted(found.addresses), [A, B]);
        assert_eq!(sorted(found.bases), [A, B]);
    }

    #[test]
    fn an_expression_of_input_alone_has_no_origin() {
        let mut pool = Pool::new();
        let address = pool.input(0, 8);
        let found = origins(&pool, address);
        assert!(found.complete && found.addresses.is_empty());
    }

    #[test]
    fn unknown_bits_of_the_object_number_are_not_complete() {
        let mut pool = Pool::new();
        let byte = pool.input(0, 1);
        let key = pool.zext(byte, 64);
        let (shift, base) = (constant(&mut pool, u64::from(OFFSET_BITS)), constant(&mut pool, A));
        let key = pool.shl(key, shift);
        let pointer = pool.xor(base, key);
        assert!(!origins(&pool, pointer).complete);
    }

    #[test]
    fn arithmetic_that_hides_an_object_is_not_complete() {
        let mut pool = Pool::new();
        let byte = pool.input(0, 1);
        let (a, input) = (constant(&mut pool, A), pool.zext(byte, 64));
        let double = constant(&mut pool, B - A);
        for hidden in [pool.mul(a, input), pool.urem(a, input), pool.udiv(a, input), pool.lshr(a, input)] {
            assert!(!origins(&pool, hidden).complete, "{:?}", pool.node(hidden));
            let sum = pool.add(a, hidden);
            let found = origins(&pool, sum);
            let is_small = stays_in_object(&pool, hidden);
            assert!(!found.complete || is_small, "{:?} as an offset: {:x?}", pool.node(hidden), found.addresses);
        }
        let word = pool.input(0, 4);
        let (unit, signed) = (constant(&mut pool, 1 << OFFSET_BITS), pool.sext(word, 64));
        for (distance, factor) in [(double, input), (unit, input), (double, signed), (unit, signed)] {
            let leap = pool.mul(distance, factor);
            assert!(!origins(&pool, leap).complete);
            let pointer = pool.add(a, leap);
            assert!(!origins(&pool, pointer).complete, "once the distance of two objects leads to the other one");
        }
        let condition = equals(&mut pool, 0, 7);
        let zero = constant(&mut pool, 0);
        let leap = pool.ite(condition, double, zero);
        let pointer = pool.add(a, leap);
        let found = origins(&pool, pointer);
        assert!(!found.complete || found.addresses.contains(&B), "{:x?}", found.addresses);
    }

    #[test]
    fn the_constants_of_an_index_are_no_addresses() {
        let mut pool = Pool::new();
        let word = pool.input(0, 8);
        let (a, prime, golden) =
            (constant(&mut pool, A), constant(&mut pool, 0x100_0000_01b3), constant(&mut pool, 0x9e37_79b9_7f4a_7c15));
        let (mask, size) = (constant(&mut pool, 63), constant(&mut pool, 24));
        let hash = pool.mul(word, prime);
        let masked = pool.and(hash, mask);
        let mixed = pool.mul(word, golden);
        for index in [masked, mixed, word] {
            let offset = pool.mul(index, size);
            let pointer = pool.add(a, offset);
            let found = origins(&pool, pointer);
            assert!(found.complete && found.addresses.contains(&A), "{index:?}");
        }
    }

    #[test]
    fn too_many_cases_are_not_complete() {
        let complete = |choices: u32| {
            let mut pool = Pool::new();
            let mut pointer = constant(&mut pool, A);
            for byte in 0..choices {
                let bit = choice(&mut pool, byte, 1 << (OFFSET_BITS + byte), 0);
                pointer = pool.or(pointer, bit);
            }
            origins(&pool, pointer).complete
        };
        assert!(complete(12) && 1 << 12 == Tuning::default().address_cases);
        assert!(!complete(13));
    }

    /// How a pointer is computed from the addresses of objects.
    #[derive(Clone, Debug)]
    enum Pointer {
        Object { number: u32, offset: u16 },
        Choice { byte: u32, value: u8, sides: Box<[Pointer; 2]> },
        Element { byte: u32, elements: Box<[Pointer; 2]> },
        PlusConstant(Box<Pointer>, u8),
        PlusInput(Box<Pointer>, u32),
        Assembled { pieces: Box<[Pointer; 2]>, low_bytes: u8 },
        Masked { pieces: Box<[Pointer; 2]>, low_bytes: u8 },
    }

    impl Pointer {
        fn build(&self, pool: &mut Pool) -> Expr {
            match self {
                Pointer::Object { number, offset } => constant(pool, ObjectId(*number).address() + u64::from(*offset)),
                Pointer::Choice { byte, value, sides } => {
                    let [a, b] = [&sides[0], &sides[1]].map(|side| side.build(pool));
                    let condition = equals(pool, *byte, *value);
                    pool.ite(condition, a, b)
                }
                Pointer::Element { byte, elements } => {
                    let elements = [&elements[0], &elements[1]].map(|element| element.build(pool));
                    let byte = pool.input(*byte, 1);
                    let low = pool.extract(byte, 0, 1);
                    let (table, index) = (pool.table(&elements), pool.zext(low, 64));
                    pool.select(table, index)
                }
                Pointer::PlusConstant(pointer, offset) => {
                    let (pointer, offset) = (pointer.build(pool), constant(pool, u64::from(*offset)));
                    pool.add(pointer, offset)
                }
                Pointer::PlusInput(pointer, byte) => {
                    let (pointer, byte) = (pointer.build(pool), pool.input(*byte, 1));
                    let offset = pool.zext(byte, 64);
                    pool.add(pointer, offset)
                }
                Pointer::Assembled { pieces, low_bytes } => {
                    let [high, low] = [&pieces[0], &pieces[1]].map(|piece| piece.build(pool));
                    assembled(pool, high, low, low_bytes * 8)
                }
                Pointer::Masked { pieces, low_bytes } => {
                    let [high, low] = [&pieces[0], &pieces[1]].map(|piece| piece.build(pool));
                    let mask = (1u64 << (low_bytes * 8)) - 1;
                    let (high_mask, low_mask) = (constant(pool, !mask), constant(pool, mask));
                    let (high, low) = (pool.and(high, high_mask), pool.and(low, low_mask));
                    pool.or(high, low)
                }
            }
        }
    }

    /// Pointers whose offsets stay below 2^[`OFFSET_BITS`], so that no sum leaves its object.
    fn pointer() -> impl Strategy<Value = Pointer> {
        let leaf = (1..1u32 << 24, any::<u16>()).prop_map(|(number, offset)| Pointer::Object { number, offset });
        leaf.prop_recursive(4, 12, 2, |inner| {
            let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| Box::new([a, b]));
            prop_oneof![
                (0..4u32, 0..3u8, pair.clone()).prop_map(|(byte, value, sides)| Pointer::Choice { byte, value, sides }),
                (0..4u32, pair.clone()).prop_map(|(byte, elements)| Pointer::Element { byte, elements }),
                (inner.clone(), any::<u8>()).prop_map(|(pointer, k)| Pointer::PlusConstant(Box::new(pointer), k)),
                (inner, 0..4u32).prop_map(|(pointer, byte)| Pointer::PlusInput(Box::new(pointer), byte)),
                (pair.clone(), 1..8u8).prop_map(|(pieces, low_bytes)| Pointer::Assembled { pieces, low_bytes }),
                (pair, 1..8u8).prop_map(|(pieces, low_bytes)| Pointer::Masked { pieces, low_bytes }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn complete_origins_contain_the_object_of_every_value(
            pointer in pointer(),
            inputs in prop::collection::vec(prop::array::uniform4(0..4u8), 8),
        ) {
            let mut pool = Pool::new();
            let address = pointer.build(&mut pool);
            let found = origins(&pool, address);
            prop_assume!(found.complete);
            let objects: Vec<ObjectId> = found.addresses.iter().map(|address| ObjectId::nearest_to(*address)).collect();
            for input in inputs {
                let value = Valuation::new(input.to_vec()).eval(&pool, address);
                let object = ObjectId::of(value);
                prop_assert!(objects.contains(&object), "{value:x} of {object:?}, not in {:x?}", found.addresses);
            }
        }
    }
}
