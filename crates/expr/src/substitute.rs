//! Rebuilding expressions: holes filled, or moved to another pool.

use rustc_hash::FxHashMap;

use crate::array::ArrayNode;
use crate::expr::{Array, Expr, Width};
use crate::node::{Node, Stored};
use crate::pool::Pool;

impl Pool {
    /// The expression with its holes filled: `fill` gets the id and width of each, once, and says what takes its place (of the same width), if
    /// anything does.
    pub fn substitute(&mut self, e: Expr, fill: &mut dyn FnMut(u32, Width) -> Option<Expr>) -> Expr {
        self.substitute_all(&[e], fill)[0]
    }

    /// [`Pool::substitute`] for several expressions; what they share is rebuilt once.
    pub fn substitute_all(&mut self, roots: &[Expr], fill: &mut dyn FnMut(u32, Width) -> Option<Expr>) -> Vec<Expr> {
        let mut copies = Copies::default();
        for &root in roots {
            copies.work.push(Work::Expr(root));
            while let Some(work) = copies.work.pop() {
                match work {
                    Work::Expr(e) if !self.has_hole(e) => {
                        copies.exprs.insert(e, e);
                    }
                    Work::Array(array) if !self.arrays.dependencies(array).2 => {
                        copies.arrays.insert(array, array);
                    }
                    Work::Expr(e) if copies.exprs.contains_key(&e) => {}
                    Work::Array(array) if copies.arrays.contains_key(&array) => {}
                    Work::Expr(e) => {
                        if let Stored::Hole { id, width } = *self.stored(e) {
                            let filled = fill(id, width).unwrap_or(e);
                            assert_eq!(self.width(filled), width, "what fills hole {id} has its width");
                            copies.exprs.insert(e, filled);
                        } else if copies.expr_operands_done(self, e) {
                            let node = self.node(e);
                            let copy = copies.build(self, node);
                            copies.exprs.insert(e, copy);
                        }
                    }
                    Work::Array(array) => {
                        if copies.array_operands_done(self, array) {
                            let copy = match self.array_node(array) {
                                ArrayNode::Table(elements) => {
                                    let elements: Vec<Expr> = elements.iter().map(|e| copies.exprs[e]).collect();
                                    self.table(&elements)
                                }
                                ArrayNode::Store { array, index, value } => {
                                    self.store(copies.arrays[&array], copies.exprs[&index], copies.exprs[&value])
                                }
                            };
                            copies.arrays.insert(array, copy);
                        }
                    }
                }
            }
        }
        roots.iter().map(|root| copies.exprs[root]).collect()
    }

    /// The same expressions in this pool, simplified by its rules.
    pub fn import(&mut self, from: &Pool, roots: &[Expr]) -> Vec<Expr> {
        let mut copies = Copies::default();
        for &root in roots {
            copies.work.push(Work::Expr(root));
            while let Some(work) = copies.work.pop() {
                match work {
                    Work::Expr(e) if copies.exprs.contains_key(&e) => {}
                    Work::Array(array) if copies.arrays.contains_key(&array) => {}
                    Work::Expr(e) => {
                        if copies.expr_operands_done(from, e) {
                            let copy = copies.build(self, from.node(e));
                            copies.exprs.insert(e, copy);
                        }
                    }
                    Work::Array(array) => {
                        if copies.array_operands_done(from, array) {
                            let copy = match from.array_node(array) {
                                ArrayNode::Table(elements) => {
                                    let elements: Vec<Expr> = elements.iter().map(|e| copies.exprs[e]).collect();
                                    self.table(&elements)
                                }
                                ArrayNode::Store { array, index, value } => {
                                    self.store(copies.arrays[&array], copies.exprs[&index], copies.exprs[&value])
                                }
                            };
                            copies.arrays.insert(array, copy);
                        }
                    }
                }
            }
        }
        roots.iter().map(|root| copies.exprs[root]).collect()
    }
}

/// What was rebuilt so far, and what is to be.
#[derive(Default)]
struct Copies {
    exprs: FxHashMap<Expr, Expr>,
    arrays: FxHashMap<Array, Array>,
    work: Vec<Work>,
}

#[derive(Clone, Copy)]
enum Work {
    Expr(Expr),
    Array(Array),
}

impl Copies {
    /// All operands are rebuilt; if not, they are put on top of the work, above the expression itself.
    fn expr_operands_done(&mut self, pool: &Pool, e: Expr) -> bool {
        let mut missing = Vec::new();
        pool.stored(e).for_each_operand(|operand| {
            if !self.exprs.contains_key(&operand) {
                missing.push(Work::Expr(operand));
            }
        });
        if let Stored::Select { array, .. } = *pool.stored(e)
            && !self.arrays.contains_key(&array)
        {
            missing.push(Work::Array(array));
        }
        self.postpone(Work::Expr(e), missing)
    }

    /// As [`Self::expr_operands_done`], for an array.
    fn array_operands_done(&mut self, pool: &Pool, array: Array) -> bool {
        let mut missing = Vec::new();
        let mut need = |e: Expr| {
            if !self.exprs.contains_key(&e) {
                missing.push(Work::Expr(e));
            }
        };
        match pool.array_node(array) {
            ArrayNode::Table(elements) => elements.iter().copied().for_each(need),
            ArrayNode::Store { array: below, index, value } => {
                need(index);
                need(value);
                if !self.arrays.contains_key(&below) {
                    missing.push(Work::Array(below));
                }
            }
        }
        self.postpone(Work::Array(array), missing)
    }

    fn postpone(&mut self, work: Work, missing: Vec<Work>) -> bool {
        if missing.is_empty() {
            return true;
        }
        self.work.push(work);
        self.work.extend(missing);
        false
    }

    /// Builds the node from the rebuilt operands.
    fn build(&self, pool: &mut Pool, node: Node) -> Expr {
        let copy = |e: Expr| self.exprs[&e];
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
            Node::Float(op, a, b) => pool.float(op, copy(a), copy(b)),
            Node::FloatUn(op, a) => pool.float_un(op, copy(a)),
            Node::FloatCmp(cmp, a, b) => pool.float_cmp(cmp, copy(a), copy(b)),
            Node::FloatCast(op, e, width) => pool.float_cast(op, copy(e), width),
            Node::FusedMulAdd(a, b, c) => pool.fused_mul_add(copy(a), copy(b), copy(c)),
            Node::Select { array, index } => pool.select(self.arrays[&array], copy(index)),
            Node::Native { function, args } => {
                let args: Vec<Expr> = args.iter().map(|&arg| copy(arg)).collect();
                pool.native(function, &args)
            }
        }
    }
}
