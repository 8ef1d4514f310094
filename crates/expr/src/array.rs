//! Arrays: tables of expressions, and stores on top of them.

use rustc_hash::FxHashMap;

use crate::expr::{Array, Expr, Width};
use crate::node::Stored;
use crate::pool::Pool;
use crate::support::Support;

/// The structure of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ArrayNode<'a> {
    /// All elements.
    Table(&'a [Expr]),
    /// Like `array`, but with `value` at `index`; the same as `array` if the index is out of range.
    Store { array: Array, index: Expr, value: Expr },
}

impl Pool {
    /// The array of these elements: at least one, and all of the same width from 8 to 64 bits.
    pub fn table(&mut self, elements: &[Expr]) -> Array {
        let width = self.width(*elements.first().expect("an array has at least one element"));
        assert!((8..=64).contains(&width), "array elements of {width} bits");
        if let Some(&known) = self.arrays.tables.get(elements) {
            return known;
        }
        let mut info =
            Info { kind: Kind::Table, length: elements.len() as u64, width, ..self.dependencies(elements[0]) };
        for &element in &elements[1..] {
            assert_eq!(self.width(element), width, "the elements of an array have the same width");
            self.add_dependencies(&mut info, element);
        }
        let array = self.arrays.push(info, elements.into());
        self.arrays.tables.insert(elements.into(), array);
        array
    }

    /// The array with `value` at `index` (64 bits); the same array if the index is out of range.
    pub fn store(&mut self, array: Array, index: Expr, value: Expr) -> Array {
        assert_eq!(self.width(index), 64, "an index has 64 bits");
        assert_eq!(self.width(value), self.array_element_width(array), "the elements of an array have the same width");
        if let Some(known) = crate::rules::array::simplify_store(self, array, index, value) {
            return known;
        }
        let kind = Kind::Store { array, index, value };
        if let Some(&known) = self.arrays.stores.get(&(array, index, value)) {
            return known;
        }
        let mut info = Info { kind, ..self.arrays.infos[array.at()] };
        self.add_dependencies(&mut info, index);
        self.add_dependencies(&mut info, value);
        let result = self.arrays.push(info, Box::default());
        self.arrays.stores.insert((array, index, value), result);
        result
    }

    /// Calls `visit` for every operand of an expression, those inside an array that it reads included.
    pub fn for_each_operand(&self, e: Expr, visit: &mut dyn FnMut(Expr)) {
        let stored = self.stored(e);
        stored.for_each_operand(&mut *visit);
        if let Stored::Select { array, .. } = *stored {
            self.for_each_array_operand(array, visit);
        }
    }

    /// Calls `visit` for every expression that a read of the array may depend on besides the index of the read.
    pub fn for_each_array_operand(&self, mut array: Array, visit: &mut dyn FnMut(Expr)) {
        loop {
            match self.array_node(array) {
                ArrayNode::Table(elements) => return elements.iter().copied().for_each(visit),
                ArrayNode::Store { array: under, index, value } => {
                    visit(index);
                    visit(value);
                    array = under;
                }
            }
        }
    }

    /// How many elements the array has.
    pub fn array_len(&self, array: Array) -> u64 {
        self.arrays.infos[array.at()].length
    }

    /// The width of the elements.
    pub fn array_element_width(&self, array: Array) -> Width {
        self.arrays.element_width(array)
    }

    /// The structure of the array.
    pub fn array_node(&self, array: Array) -> ArrayNode<'_> {
        match self.arrays.infos[array.at()].kind {
            Kind::Table => ArrayNode::Table(&self.arrays.elements[array.at()]),
            Kind::Store { array, index, value } => ArrayNode::Store { array, index, value },
        }
    }

    /// The input bytes that some element depends on.
    pub fn array_support(&self, array: Array) -> Support {
        self.arrays.infos[array.at()].support
    }

    fn dependencies(&self, e: Expr) -> Info {
        let facts = self.facts(e);
        Info {
            kind: Kind::Table,
            length: 0,
            width: facts.width,
            support: facts.support,
            native: facts.native,
            hole: facts.hole,
        }
    }

    fn add_dependencies(&mut self, info: &mut Info, e: Expr) {
        let other = self.dependencies(e);
        info.support = self.supports.union(info.support, other.support);
        info.native |= other.native;
        info.hole |= other.hole;
    }
}

/// All arrays of a pool.
#[derive(Default, Debug)]
pub(crate) struct Arrays {
    infos: Vec<Info>,
    /// The elements of tables; empty for stores.
    elements: Vec<Box<[Expr]>>,
    tables: FxHashMap<Box<[Expr]>, Array>,
    stores: FxHashMap<(Array, Expr, Expr), Array>,
    element_count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Info {
    kind: Kind,
    length: u64,
    width: Width,
    support: Support,
    native: bool,
    hole: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Table,
    Store { array: Array, index: Expr, value: Expr },
}

impl Arrays {
    #[inline]
    pub(crate) fn element_width(&self, array: Array) -> Width {
        self.infos[array.at()].width
    }

    /// The input bytes that it depends on, and whether it depends on a native function or a hole.
    pub(crate) fn dependencies(&self, array: Array) -> (Support, bool, bool) {
        let info = &self.infos[array.at()];
        (info.support, info.native, info.hole)
    }

    /// The approximate memory use in bytes.
    pub(crate) fn memory(&self) -> usize {
        let per_array = size_of::<Info>() + size_of::<Box<[Expr]>>() + 3 * size_of::<(Array, Expr, Expr)>();
        self.infos.capacity() * per_array + 2 * self.element_count * size_of::<Expr>()
    }

    fn push(&mut self, info: Info, elements: Box<[Expr]>) -> Array {
        let array = Array::from_position(self.infos.len());
        self.infos.push(info);
        self.element_count += elements.len();
        self.elements.push(elements);
        array
    }
}
