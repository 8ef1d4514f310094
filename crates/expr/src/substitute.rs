//! Rebuilds expressions with holes filled, with subexpressions replaced, or in another pool.

use rustc_hash::FxHashMap;

use crate::array::ArrayNode;
use crate::expr::{Array, Expr, Width};
use crate::node::{Node, Stored};
use crate::pool::Pool;
use crate::support::Support;

impl Pool {
    /// The expression with its holes filled. `fill` is called once for each hole, with its id and width, and returns
    /// its replacement of the same width, if it has one.
    pub fn substitute(&mut self, e: Expr, fill: &mut dyn FnMut(u32, Width) -> Option<Expr>) -> Expr {
        self.substitute_all(&[e], fill)[0]
    }

    /// [`Pool::substitute`] for several expressions; shared subexpressions are rebuilt once.
    pub fn substitute_all(&mut self, roots: &[Expr], fill: &mut dyn FnMut(u32, Width) -> Option<Expr>) -> Vec<Expr> {
        let replace = |pool: &mut Pool, e| match *pool.stored(e) {
            Stored::Hole { id, width } => {
                let filled = fill(id, width).unwrap_or(e);
                assert_eq!(pool.width(filled), width, "the replacement of hole {id} has its width");
                Some(filled)
            }
            _ => None,
        };
        self.rebuild(roots, Copies::default(), Pool::without_holes, replace)
    }

    /// The expressions with some subexpressions replaced by others of the same width; shared ones are rebuilt once.
    pub fn replace_all(&mut self, roots: &[Expr], replacements: &[(Expr, Expr)]) -> Vec<Expr> {
        let mut copies = Copies::default();
        let mut support = self.support(self.bool(true));
        for &(part, replacement) in replacements {
            assert_eq!(self.width(part), self.width(replacement), "a replacement has the width of what it replaces");
            support = self.support_union(support, self.support(part));
            copies.exprs.insert(part, replacement);
        }
        self.rebuild(roots, copies, |pool, item| !pool.depends_on(item, support), |_, _| None)
    }

    /// The expressions with the input bytes from `from` on renumbered: that one becomes `to`, and so on.
    pub fn shift_inputs(&mut self, roots: &[Expr], from: u32, to: u32) -> Vec<Expr> {
        if from == to || roots.iter().all(|root| self.support_bytes(self.support(*root)).is_empty()) {
            return roots.to_vec();
        }
        let replace = |pool: &mut Pool, e| match *pool.stored(e) {
            Stored::Input { first, bytes } if first >= from => Some(pool.input(first - from + to, bytes)),
            _ => None,
        };
        self.rebuild(roots, Copies::default(), |_, _| false, replace)
    }

    /// The expressions with input bytes replaced by other expressions of 8 bits, where `byte` has one.
    pub fn replace_input_bytes(
        &mut self,
        roots: &[Expr],
        byte: &mut dyn FnMut(&mut Pool, u32) -> Option<Expr>,
    ) -> Vec<Expr> {
        let replace = |pool: &mut Pool, e| match *pool.stored(e) {
            Stored::Input { first, bytes } => {
                let mut word: Option<Expr> = None;
                for index in first..first + u32::from(bytes) {
                    let part = byte(pool, index).unwrap_or_else(|| pool.input(index, 1));
                    word = Some(word.map_or(part, |low| pool.concat(part, low)));
                }
                word
            }
            _ => None,
        };
        self.rebuild(roots, Copies::default(), |_, _| false, replace)
    }

    /// Rebuilds expressions from the leaves up. What `keeps` names stays as it is, and `replace` may give a replacement
    /// for an expression; everything else is built anew from its operands.
    fn rebuild(
        &mut self,
        roots: &[Expr],
        mut copies: Copies,
        keeps: impl Fn(&Pool, Item) -> bool,
        mut replace: impl FnMut(&mut Pool, Expr) -> Option<Expr>,
    ) -> Vec<Expr> {
        for &root in roots {
            copies.work.push(Item::Expr(root));
            while let Some(item) = copies.next(|item| keeps(self, item)) {
                if let Item::Expr(e) = item
                    && let Some(replacement) = replace(self, e)
                {
                    copies.exprs.insert(e, replacement);
                } else if copies.operands_done(self, item, |item| keeps(self, item)) {
                    copies.build(self, item, Parts::of(self, item));
                }
            }
        }
        roots.iter().map(|&root| copies.expr(root)).collect()
    }

    fn depends_on(&self, item: Item, support: Support) -> bool {
        self.support_intersects(
            support,
            match item {
                Item::Expr(e) => self.support(e),
                Item::Array(array) => self.array_support(array),
            },
        )
    }

    /// The same expressions in this pool, simplified by its rules.
    pub fn import(&mut self, from: &Pool, roots: &[Expr]) -> Vec<Expr> {
        let mut copies = Copies::default();
        for &root in roots {
            copies.work.push(Item::Expr(root));
            while let Some(item) = copies.next(|_| false) {
                if copies.operands_done(from, item, |_| false) {
                    copies.build(self, item, Parts::of(from, item));
                }
            }
        }
        roots.iter().map(|&root| copies.expr(root)).collect()
    }

    fn without_holes(&self, item: Item) -> bool {
        match item {
            Item::Expr(e) => !self.has_hole(e),
            Item::Array(array) => !self.arrays.dependencies(array).2,
        }
    }
}

#[derive(Clone, Copy)]
enum Item {
    Expr(Expr),
    Array(Array),
}

/// The structure of an item, independent of its pool.
enum Parts {
    Node(Node),
    Table(Vec<Expr>),
    Store { array: Array, index: Expr, value: Expr },
}

impl Parts {
    fn of(pool: &Pool, item: Item) -> Parts {
        match item {
            Item::Expr(e) => Parts::Node(pool.node(e)),
            Item::Array(array) => match pool.array_node(array) {
                ArrayNode::Table(elements) => Parts::Table(elements.to_vec()),
                ArrayNode::Store { array, index, value } => Parts::Store { array, index, value },
            },
        }
    }
}

/// The items that were rebuilt, and those still to be. Items that are not listed stay as they are.
#[derive(Default)]
struct Copies {
    exprs: FxHashMap<Expr, Expr>,
    arrays: FxHashMap<Array, Array>,
    work: Vec<Item>,
}

impl Copies {
    fn expr(&self, e: Expr) -> Expr {
        self.exprs.get(&e).copied().unwrap_or(e)
    }

    fn array(&self, array: Array) -> Array {
        self.arrays.get(&array).copied().unwrap_or(array)
    }

    fn is_done(&self, item: Item) -> bool {
        match item {
            Item::Expr(e) => self.exprs.contains_key(&e),
            Item::Array(array) => self.arrays.contains_key(&array),
        }
    }

    /// The next item that is to be rebuilt.
    fn next(&mut self, keeps: impl Fn(Item) -> bool) -> Option<Item> {
        loop {
            let item = self.work.pop()?;
            if !keeps(item) && !self.is_done(item) {
                return Some(item);
            }
        }
    }

    /// Whether all operands are rebuilt or stay as they are. If not, pushes the item and the others to the work list.
    fn operands_done(&mut self, pool: &Pool, item: Item, keeps: impl Fn(Item) -> bool) -> bool {
        let before = self.work.len();
        self.work.push(item);
        let mut work = std::mem::take(&mut self.work);
        let mut need = |operand: Item| {
            if !keeps(operand) && !self.is_done(operand) {
                work.push(operand);
            }
        };
        match item {
            Item::Expr(e) => {
                pool.stored(e).for_each_operand(|operand| need(Item::Expr(operand)));
                if let Stored::Select { array, .. } = *pool.stored(e) {
                    need(Item::Array(array));
                }
            }
            Item::Array(array) => match pool.array_node(array) {
                ArrayNode::Table(elements) => elements.iter().for_each(|&e| need(Item::Expr(e))),
                ArrayNode::Store { array, index, value } => {
                    need(Item::Expr(index));
                    need(Item::Expr(value));
                    need(Item::Array(array));
                }
            },
        }
        self.work = work;
        if self.work.len() == before + 1 {
            self.work.pop();
            return true;
        }
        false
    }

    /// Builds the item from its rebuilt operands.
    fn build(&mut self, pool: &mut Pool, item: Item, parts: Parts) {
        match (item, parts) {
            (Item::Expr(e), Parts::Node(node)) => {
                let copy = self.build_node(pool, node);
                self.exprs.insert(e, copy);
            }
            (Item::Array(array), Parts::Table(elements)) => {
                let elements: Vec<Expr> = elements.into_iter().map(|e| self.expr(e)).collect();
                let copy = pool.table(&elements);
                self.arrays.insert(array, copy);
            }
            (Item::Array(array), Parts::Store { array: below, index, value }) => {
                let copy = pool.store(self.array(below), self.expr(index), self.expr(value));
                self.arrays.insert(array, copy);
            }
            (Item::Expr(_), _) | (Item::Array(_), Parts::Node(_)) => {
                unreachable!("expressions are nodes, arrays tables or stores")
            }
        }
    }

    fn build_node(&self, pool: &mut Pool, node: Node) -> Expr {
        let copy = |e: Expr| self.expr(e);
        match node {
            Node::Const { width, value } => pool.constant(width, value),
            Node::Input { first, bytes } => pool.input(first, bytes),
            Node::Hole { id, width } => pool.hole(id, width),
            Node::Unary(op, a) => pool.unary(op, copy(a)),
            Node::Binary(op, a, b) => pool.binary(op, copy(a), copy(b)),
            Node::Ite(c, a, b) => pool.ite(copy(c), copy(a), copy(b)),
            Node::Concat(hi, lo) => pool.concat(copy(hi), copy(lo)),
            Node::Extract { e, low, width } => pool.extract(copy(e), low, width),
            Node::ZExt(e, width) => pool.zext(copy(e), width),
            Node::SExt(e, width) => pool.sext(copy(e), width),
            Node::Float(op, mode, a, b) => pool.float_in(mode, op, copy(a), copy(b)),
            Node::FloatUn(op, mode, a) => pool.float_un_in(mode, op, copy(a)),
            Node::FloatCmp(cmp, a, b) => pool.float_cmp(cmp, copy(a), copy(b)),
            Node::FloatCast(op, mode, e, width) => pool.float_cast_in(mode, op, copy(e), width),
            Node::FusedMulAdd(mode, a, b, c) => pool.fused_mul_add_in(mode, copy(a), copy(b), copy(c)),
            Node::Select { array, index } => pool.select(self.array(array), copy(index)),
            Node::Native { function, args } => {
                let args: Vec<Expr> = args.iter().map(|&arg| copy(arg)).collect();
                pool.native(function, &args)
            }
        }
    }
}
