//! Rules for array reads and writes: a read at a known index finds its store, and skips stores at other indices.

use super::{Entry, OfSelect, OfStore, RuleId::*, first, rule};
use crate::array::ArrayNode;
use crate::expr::{Array, Expr, Width};
use crate::node::Stored;
use crate::op::BinaryOp;
use crate::pool::Pool;

pub(super) static SELECT: &[Entry<OfSelect>] = &[
    rule(
        SelectOutOfRange,
        "a[i] → 0 where i is never in range",
        |p, array, index| {
            let length = u128::from(p.array_len(array));
            (p.range(index).0 >= length).then(|| p.zero(p.array_element_width(array)))
        },
        &[|p, w| {
            let (table, index) = (example_table(p, w), p.constant(64, 4));
            p.select(table, index)
        }],
        &[|p, w| {
            let (table, index) = (example_table(p, w), p.constant(64, 3));
            p.select(table, index)
        }],
    ),
    rule(
        SelectConstant,
        "[x, y, …][k] → the element at k",
        |p, array, index| {
            let at = usize::try_from(p.as_const(index)?).ok()?;
            match p.array_node(array) {
                ArrayNode::Table(elements) => elements.get(at).copied(),
                ArrayNode::Store { .. } => None,
            }
        },
        &[|p, w| {
            let (table, index) = (example_table(p, w), p.constant(64, 1));
            p.select(table, index)
        }],
        &[|p, w| {
            let (table, index) = (example_table(p, w), example_index(p));
            p.select(table, index)
        }],
    ),
    rule(
        SelectUniform,
        "[x, x, …][i] → x where i is always in range",
        |p, array, index| {
            let in_range = p.range(index).1 < u128::from(p.array_len(array));
            match p.array_node(array) {
                ArrayNode::Table(elements) if in_range => {
                    elements.iter().all(|&element| element == elements[0]).then_some(elements[0])
                }
                _ => None,
            }
        },
        &[|p, w| {
            let x = p.input(0, w / 8);
            let table = p.table(&[x, x]);
            let bit = p.input(48, 1);
            let bit = p.extract(bit, 0, 1);
            let index = p.zext(bit, 64);
            p.select(table, index)
        }],
        &[|p, w| {
            let x = p.input(0, w / 8);
            let table = p.table(&[x, x]);
            let index = example_index(p);
            p.select(table, index)
        }],
    ),
    rule(
        SelectStoreSame,
        "a[i := x][i] → x, or 0 where i is out of range",
        |p, array, index| match p.array_node(array) {
            ArrayNode::Store { index: stored, value, .. } if stored == index => {
                let length = p.array_len(array);
                if p.range(index).1 < length.into() {
                    return Some(value);
                }
                let end = p.constant(64, length.into());
                let in_range = p.ult(index, end);
                let zero = p.zero(p.width(value));
                Some(p.ite(in_range, value, zero))
            }
            _ => None,
        },
        &[|p, w| {
            let (table, index, value) = (example_table(p, w), example_index(p), p.input(0, w / 8));
            let stored = p.store(table, index, value);
            p.select(stored, index)
        }],
        &[|p, w| {
            let (table, index, value) = (example_table(p, w), example_index(p), p.input(0, w / 8));
            let stored = p.store(table, index, value);
            let other = p.constant(64, 2);
            p.select(stored, other)
        }],
    ),
    rule(
        SelectStoreOther,
        "a[i := x][j] → a[j] where i and j always differ",
        |p, array, index| {
            let mut below = array;
            while let ArrayNode::Store { array: next, index: stored, .. } = p.array_node(below)
                && always_differ(p, stored, index)
            {
                below = next;
            }
            (below != array).then(|| p.select(below, index))
        },
        &[
            |p, w| {
                let (table, index, value) = (example_table(p, w), example_index(p), p.input(0, w / 8));
                let one = p.constant(64, 1);
                let next = p.add(index, one);
                let stored = p.store(table, next, value);
                p.select(stored, index)
            },
            |p, w| {
                let (table, value) = (example_table(p, w), p.input(0, w / 8));
                let (one, two) = (p.constant(64, 1), p.constant(64, 2));
                let stored = p.store(table, one, value);
                p.select(stored, two)
            },
        ],
        &[|p, w| {
            let (table, index, value) = (example_table(p, w), example_index(p), p.input(0, w / 8));
            let stored = p.store(table, index, value);
            let other = p.constant(64, 2);
            p.select(stored, other)
        }],
    ),
];

pub(super) static STORE: &[Entry<OfStore>] = &[
    rule(
        StoreOutOfRange,
        "a[i := x] → a where i is never in range",
        |p, array, index, _| (p.range(index).0 >= u128::from(p.array_len(array))).then_some(array),
        &[|p, w| store_and_select(p, w, 4)],
        &[|p, w| store_and_select(p, w, 3)],
    ),
    rule(
        StoreStore,
        "a[i := x][i := y] → a[i := y]",
        |p, array, index, value| match p.array_node(array) {
            ArrayNode::Store { array: below, index: stored, .. } if stored == index => {
                Some(p.store(below, index, value))
            }
            _ => None,
        },
        &[|p, w| {
            let (table, index) = (example_table(p, w), example_index(p));
            let (x, y) = (p.input(0, w / 8), p.input(16, w / 8));
            let stored = p.store(table, index, x);
            let stored = p.store(stored, index, y);
            let two = p.constant(64, 2);
            p.select(stored, two)
        }],
        &[|p, w| {
            let (table, index) = (example_table(p, w), example_index(p));
            let (x, y) = (p.input(0, w / 8), p.input(16, w / 8));
            let two = p.constant(64, 2);
            let stored = p.store(table, index, x);
            let stored = p.store(stored, two, y);
            p.select(stored, two)
        }],
    ),
    rule(
        StoreSelect,
        "a[i := a[i]] → a",
        |p, array, index, value| match *p.stored(value) {
            Stored::Select { array: from, index: read } if from == array && read == index => Some(array),
            _ => None,
        },
        &[|p, w| {
            let (table, index) = (example_table(p, w), example_index(p));
            let value = p.select(table, index);
            let stored = p.store(table, index, value);
            let two = p.constant(64, 2);
            p.select(stored, two)
        }],
        &[|p, w| {
            let (table, index) = (example_table(p, w), example_index(p));
            let two = p.constant(64, 2);
            let value = p.select(table, two);
            let stored = p.store(table, index, value);
            p.select(stored, two)
        }],
    ),
    rule(
        StoreConstant,
        "[x, y, …][k := z] → the table with z at k, if it is short",
        |p, array, index, value| {
            let at = usize::try_from(p.as_const(index)?).ok()?;
            match p.array_node(array) {
                ArrayNode::Table(elements) if elements.len() as u64 <= p.tuning.copied_elements => {
                    let mut elements = elements.to_vec();
                    *elements.get_mut(at)? = value;
                    Some(p.table(&elements))
                }
                _ => None,
            }
        },
        &[|p, w| store_and_select(p, w, 3)],
        &[
            |p, w| store_and_select(p, w, 4),
            |p, w| {
                let (table, index, value) = (example_table(p, w), example_index(p), p.input(0, w / 8));
                let stored = p.store(table, index, value);
                p.select(stored, index)
            },
        ],
    ),
];

/// The simplified store; `None` if no rule applies.
pub(crate) fn simplify_store(p: &mut Pool, array: Array, index: Expr, value: Expr) -> Option<Array> {
    first(p, STORE, |p, apply| apply(p, array, index, value))
}

/// They differ for every input.
fn always_differ(p: &Pool, i: Expr, j: Expr) -> bool {
    let ((low, high), (other_low, other_high)) = (p.range(i), p.range(j));
    if high < other_low || other_high < low {
        return true;
    }
    let offset = |e| p.with_constant(BinaryOp::Add, e).unwrap_or((e, 0));
    let ((base, c), (other_base, d)) = (offset(i), offset(j));
    base == other_base && c != d
}

fn example_table(p: &mut Pool, w: Width) -> Array {
    let elements = [p.input(0, w / 8), p.input(16, w / 8), p.constant(w, 7), p.constant(w, 200)];
    p.table(&elements)
}

/// An index of few bits, so that it is in range for many inputs.
fn example_index(p: &mut Pool) -> Expr {
    let byte = p.input(50, 1);
    p.zext(byte, 64)
}

fn store_and_select(p: &mut Pool, w: Width, at: u128) -> Expr {
    let (table, value, at) = (example_table(p, w), p.input(32, w / 8), p.constant(64, at));
    let stored = p.store(table, at, value);
    let index = example_index(p);
    p.select(stored, index)
}
