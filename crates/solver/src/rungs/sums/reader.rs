//! Reads conditions as relations of sums. Whatever is computed from a single byte is an atom: the value of a digit, or
//! that value doubled and reduced by 9 if it exceeds 9. Remainders and quotients are auxiliary variables, which their
//! dividend determines.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateur_expr::{BinaryOp, ByteSet, Expr, Node, Pool, UnaryOp, Width};

use super::atom::{Atom, bounds};
use super::form::{Form, signed};
use super::relation::{Reading, Relation};
use crate::Tuning;

/// A comparison that depends on several bytes.
pub(super) struct Comparison {
    op: BinaryOp,
    left: Expr,
    right: Expr,
    holds: bool,
    /// The condition of the question that it was part of.
    pub(super) reason: Expr,
}

pub(super) struct Reader<'a> {
    pool: &'a mut Pool,
    bytes: &'a [u32],
    tuning: &'a Tuning,
    /// The possible values of each variable: first of the input bytes, then of remainders and quotients.
    pub(super) domains: Vec<ByteSet>,
    /// The conditions on single bytes, with their byte.
    pub(super) on_bytes: Vec<(u32, Expr)>,
    /// The atom of an input byte itself has the index of its variable.
    pub(super) atoms: Vec<Atom>,
    /// The relations that were read from conditions.
    pub(super) relations: Vec<Relation>,
    /// The atoms of remainders and quotients, and the relations that determine them.
    definitions: Vec<(usize, Relation)>,
    forms: FxHashMap<Expr, Option<Rc<Form>>>,
    by_table: FxHashMap<(usize, Box<[i64; 256]>), usize>,
    divided: FxHashMap<(Form, i128, Part), Form>,
    parts: usize,
}

/// A result of a division.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Quotient,
    Remainder,
}

/// A condition of the question that no possible values of its bytes satisfy.
pub(super) struct Contradiction(pub(super) Expr);

impl<'a> Reader<'a> {
    pub(super) fn new(pool: &'a mut Pool, bytes: &'a [u32], tuning: &'a Tuning) -> Reader<'a> {
        Reader {
            pool,
            bytes,
            tuning,
            domains: vec![ByteSet::ALL; bytes.len()],
            on_bytes: Vec::new(),
            atoms: Vec::new(),
            relations: Vec::new(),
            definitions: Vec::new(),
            forms: FxHashMap::default(),
            by_table: FxHashMap::default(),
            divided: FxHashMap::default(),
            parts: tuning.sums_parts,
        }
    }

    /// Splits conditions into their conjuncts. Conjuncts on single bytes restrict domains; comparisons of several bytes
    /// are returned, and others skipped. `None` if there are too many.
    pub(super) fn take_apart(&mut self, conditions: &[Expr]) -> Option<Vec<Comparison>> {
        let mut comparisons = Vec::new();
        let mut pending: Vec<(Expr, bool, Expr)> = conditions.iter().rev().map(|&e| (e, true, e)).collect();
        while let Some((part, holds, reason)) = pending.pop() {
            if let Some((byte, table)) = self.pool.on_one_byte(part) {
                let values = &mut self.domains[self.bytes.binary_search(&byte).ok()?];
                *values &= if holds { table } else { !table };
                self.on_bytes.push((byte, reason));
                continue;
            }
            self.parts = self.parts.checked_sub(1)?;
            match self.pool.node(part) {
                Node::Unary(UnaryOp::Not, inner) => pending.push((inner, !holds, reason)),
                Node::Binary(op, left, right) if op.is_comparison() => {
                    comparisons.push(Comparison { op, left, right, holds, reason });
                }
                Node::Binary(BinaryOp::And, a, b) if holds => pending.extend([(b, holds, reason), (a, holds, reason)]),
                Node::Binary(BinaryOp::Or, a, b) if !holds => pending.extend([(b, holds, reason), (a, holds, reason)]),
                _ => {}
            }
        }
        Some(comparisons)
    }

    /// Makes the atoms of the input bytes, once their domains are known.
    pub(super) fn bound_bytes(&mut self) {
        self.atoms = (0..self.bytes.len()).map(|variable| Atom::of(variable, None, &self.domains[variable])).collect();
    }

    /// Reads a comparison into `relations`; `Some` if it is about sums.
    pub(super) fn read(&mut self, comparison: &Comparison) -> Option<Result<(), Contradiction>> {
        let Comparison { op, left, right, holds, reason } = *comparison;
        let width = self.pool.width(left);
        if width > 64 {
            return None;
        }
        let (a, b) = (self.form(left)?, self.form(right)?);
        let size = 1 << width;
        if op == BinaryOp::Eq {
            let difference = a.plus(-1, &b)?.modulo(width);
            let residues = if holds { (0, 0) } else { (1, size - 1) };
            return self.relate(Relation::new(difference, residues, Some(size), vec![reason]));
        }
        let strict = matches!(op, BinaryOp::Ult | BinaryOp::Slt) == holds;
        let least = if matches!(op, BinaryOp::Slt | BinaryOp::Sle) { -size / 2 } else { 0 };
        let (lesser, greater) = if holds { (a, b) } else { (b, a) };
        let placed = |constant: i128| (constant - least).rem_euclid(size) + least;
        let relation = if let Some(constant) = greater.as_constant() {
            let residues = (least, placed(constant) - i128::from(strict));
            Relation::new((*lesser).clone(), residues, Some(size), vec![reason])
        } else if let Some(constant) = lesser.as_constant() {
            let residues = (placed(constant) + i128::from(strict), least + size - 1);
            Relation::new((*greater).clone(), residues, Some(size), vec![reason])
        } else {
            let lesser = self.representative(left, &lesser, width, least)?;
            let greater = self.representative(right, &greater, width, least)?;
            let residues = (-size, -i128::from(strict));
            Relation::new(lesser.plus(-1, &greater)?, residues, Some(2 * size), vec![reason])
        };
        self.relate(relation)
    }

    /// The relations that were read, and those that determine the remainders and quotients in them.
    pub(super) fn finish(self) -> (Vec<Relation>, Vec<Atom>, Vec<ByteSet>) {
        let mut relations = self.relations;
        let mut used = vec![false; self.atoms.len()];
        let mut use_all = |form: &Form| form.terms.iter().for_each(|(atom, _)| used[*atom] = true);
        relations.iter().for_each(|relation| use_all(&relation.form));
        // A definition uses only earlier ones.
        for (atom, definition) in self.definitions.into_iter().rev() {
            if used[atom] {
                definition.form.terms.iter().for_each(|(atom, _)| used[*atom] = true);
                relations.push(definition);
            }
        }
        (relations, self.atoms, self.domains)
    }

    fn relate(&mut self, relation: Relation) -> Option<Result<(), Contradiction>> {
        let reason = relation.reasons[0];
        match relation.bounded(&self.atoms)? {
            Reading::Always => {}
            Reading::Never => return Some(Err(Contradiction(reason))),
            Reading::Open(relation) => self.relations.push(relation),
        }
        Some(Ok(()))
    }

    /// The form of an expression, modulo two to the power of its width.
    fn form(&mut self, root: Expr) -> Option<Rc<Form>> {
        let mut pending = vec![root];
        while let Some(&e) = pending.last() {
            if self.forms.contains_key(&e) {
                pending.pop();
                continue;
            }
            self.parts = self.parts.checked_sub(1)?;
            let readable =
                self.operands(e).filter(|operands| !operands.iter().any(|e| self.forms.get(e) == Some(&None)));
            let Some(operands) = readable else {
                self.forms.insert(e, None);
                continue;
            };
            let before = pending.len();
            pending.extend(operands.into_iter().filter(|operand| !self.forms.contains_key(operand)));
            if pending.len() == before {
                let form = self.of_node(e).map(|form| form.modulo(self.pool.width(e)));
                self.forms.insert(e, form.filter(|form| form.terms.len() <= self.tuning.sums_terms).map(Rc::new));
            }
        }
        self.forms[&root].clone()
    }

    /// The operands whose forms the form of an expression needs; `None` if it cannot have a form.
    fn operands(&self, e: Expr) -> Option<Vec<Expr>> {
        if self.is_leaf(e) {
            return Some(Vec::new());
        }
        let is_constant = |e: Expr| self.pool.as_const(e).is_some();
        match self.pool.node(e) {
            Node::Input { .. } => Some(Vec::new()),
            Node::Unary(_, a) | Node::Extract { e: a, .. } | Node::ZExt(a, _) | Node::SExt(a, _) => Some(vec![a]),
            Node::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) | Node::Concat(a, b) => Some(vec![a, b]),
            Node::Binary(BinaryOp::Mul, a, b) if is_constant(a) || is_constant(b) => Some(vec![a, b]),
            Node::Binary(BinaryOp::Or | BinaryOp::Xor, ..) => None,
            Node::Binary(op, a, b) if !op.is_comparison() && is_constant(b) => Some(vec![a, b]),
            Node::Ite(c, a, b) => Some(vec![c, a, b]),
            _ => None,
        }
    }

    /// It is a constant, depends on a single byte, or is too wide to be read.
    fn is_leaf(&self, e: Expr) -> bool {
        self.pool.width(e) > 64 || self.pool.support_bytes(self.pool.support(e)).len() <= 1
    }

    /// The form of an expression whose operands' forms are known.
    fn of_node(&mut self, e: Expr) -> Option<Form> {
        let width = self.pool.width(e);
        if width > 64 {
            return None;
        }
        if self.is_leaf(e) {
            return match self.pool.as_const(e) {
                Some(value) => Some(Form::constant(value as i128)),
                None => self.on_byte(e),
            };
        }
        let of = |operand: Expr| self.forms.get(&operand).cloned().flatten();
        match self.pool.node(e) {
            Node::Input { first, bytes } => {
                let at = self.bytes.binary_search(&first).ok()?;
                let contiguous =
                    self.bytes.get(at..at + usize::from(bytes))?.iter().zip(first..).all(|(&byte, i)| byte == i);
                let terms = (0..usize::from(bytes)).map(|i| (at + i, 1 << (8 * i)));
                contiguous.then(|| Form { constant: 0, terms: terms.collect() })
            }
            Node::Unary(UnaryOp::Neg, a) => Form::default().plus(-1, &*of(a)?),
            Node::Unary(UnaryOp::Not, a) => Form::constant(-1).plus(-1, &*of(a)?),
            Node::Binary(op, a, b) => {
                let (left, right) = (of(a)?, of(b)?);
                self.of_binary(op, width, (a, &left), &right)
            }
            Node::Ite(c, a, b) => {
                // A constant difference, added if the condition holds.
                let (choice, a, b) = (of(c)?, of(a)?, of(b)?);
                let more = a.plus(-1, &b)?.modulo(width).as_constant()?;
                b.plus(more, &self.representative(c, &choice, 1, 0)?)
            }
            Node::Concat(high, low) => {
                let bits = self.pool.width(low);
                let (high, lower) = (of(high)?, of(low)?);
                self.representative(low, &lower, bits, 0)?.plus(1 << bits, &high)
            }
            Node::Extract { e: whole, low: 0, .. } => Some((*of(whole)?).clone()),
            Node::Extract { e: whole, low, .. } => self.quotient(whole, &*of(whole)?, 1 << low),
            Node::ZExt(a, _) => self.representative(a, &*of(a)?, self.pool.width(a), 0),
            Node::SExt(a, _) => {
                let bits = self.pool.width(a);
                self.representative(a, &*of(a)?, bits, -(1 << (bits - 1)))
            }
            _ => None,
        }
    }

    /// The form of `a op b` for operands of this width.
    fn of_binary(&mut self, op: BinaryOp, width: Width, (a, left): (Expr, &Form), right: &Form) -> Option<Form> {
        match op {
            BinaryOp::Add => return left.plus(1, right),
            BinaryOp::Sub => return left.plus(-1, right),
            BinaryOp::Mul => {
                if let Some(factor) = left.as_constant() {
                    return Form::default().plus(factor, right);
                }
            }
            _ => {}
        }
        let constant = right.as_constant()?.rem_euclid(1 << width);
        let half = 1 << (width - 1);
        match op {
            BinaryOp::Mul => Form::default().plus(signed(width, constant), left),
            BinaryOp::Shl if constant < i128::from(width) => Form::default().plus(1 << constant, left),
            BinaryOp::LShr if constant < i128::from(width) => {
                let dividend = self.representative(a, left, width, 0)?;
                self.quotient(a, &dividend, 1 << constant)
            }
            BinaryOp::AShr if constant < i128::from(width) => {
                let dividend = self.representative(a, left, width, -half)?;
                self.quotient(a, &dividend, 1 << constant)
            }
            BinaryOp::UDiv | BinaryOp::URem if constant > 0 => {
                let dividend = self.representative(a, left, width, 0)?;
                self.divided(a, &dividend, constant, op == BinaryOp::URem)
            }
            BinaryOp::SDiv | BinaryOp::SRem if constant > 0 && constant < half => {
                let dividend = self.representative(a, left, width, -half)?;
                if bounds(&dividend, &self.atoms).0 < 0 {
                    return None;
                }
                self.divided(a, &dividend, constant, op == BinaryOp::SRem)
            }
            BinaryOp::And if (constant + 1).count_ones() == 1 => self.remainder(a, left, constant + 1),
            _ => None,
        }
    }

    /// The form of an expression that depends on a single byte.
    fn on_byte(&mut self, e: Expr) -> Option<Form> {
        let width = self.pool.width(e);
        let (byte, column) = self.pool.values_on_one_byte(e, self.tuning.sums_operations)?;
        let variable = self.bytes.binary_search(&byte).ok()?;
        let values: Vec<u8> = self.domains[variable].iter().collect();
        let &first = values.first()?;
        // Differences to the first value are small even where the values wrap around.
        let start = i128::from(column[usize::from(first)]);
        let offset = |value: u8| signed(width, i128::from(column[usize::from(value)]) - start);
        let Some(&second) = values.get(1) else { return Some(Form::constant(start)) };
        let step = i128::from(second - first);
        let factor = offset(second) / step;
        if offset(second) % step == 0
            && values.iter().all(|&value| offset(value) == signed(width, factor * i128::from(value - first)))
        {
            return Form::constant(start - factor * i128::from(first)).plus(factor, &Form::atom(variable));
        }
        let mut table = Box::new([0; 256]);
        values.iter().for_each(|&value| table[usize::from(value)] = offset(value) as i64);
        let atom = match self.by_table.get(&(variable, table.clone())) {
            Some(&atom) => atom,
            None => {
                self.atoms.push(Atom::of(variable, Some(table.clone()), &self.domains[variable]));
                self.by_table.insert((variable, table), self.atoms.len() - 1);
                self.atoms.len() - 1
            }
        };
        Form::constant(start).plus(1, &Form::atom(atom))
    }

    /// The representative in `least .. least + 2^width` of the form of `e`.
    fn representative(&mut self, e: Expr, form: &Form, width: Width, least: i128) -> Option<Form> {
        let above = form.plus(-1, &Form::constant(least))?;
        let around = self.quotient(e, &above, 1 << width)?;
        form.plus(-(1 << width), &around)
    }

    fn divided(&mut self, e: Expr, form: &Form, divisor: i128, remainder: bool) -> Option<Form> {
        if remainder { self.remainder(e, form, divisor) } else { self.quotient(e, form, divisor) }
    }

    /// The floor of a form, which was read from `e`, divided by a constant.
    fn quotient(&mut self, e: Expr, form: &Form, divisor: i128) -> Option<Form> {
        let (least, most) = bounds(form, &self.atoms);
        let (least, most) = (least.div_euclid(divisor), most.div_euclid(divisor));
        if least == most {
            return Some(Form::constant(least));
        }
        let key = (form.clone(), divisor, Part::Quotient);
        if let Some(known) = self.divided.get(&key) {
            return Some(known.clone());
        }
        let atom = self.variable(u8::try_from(most - least).ok()?);
        let quotient = Form { constant: least, ..Form::atom(atom) };
        let rest = form.plus(-divisor, &quotient)?;
        self.define(atom, Relation::new(rest, (0, divisor - 1), None, vec![e]))?;
        self.divided.insert(key, quotient.clone());
        Some(quotient)
    }

    /// The remainder of a form, which was read from `e`, divided by a constant.
    fn remainder(&mut self, e: Expr, form: &Form, divisor: i128) -> Option<Form> {
        let (least, most) = bounds(form, &self.atoms);
        let quotient = least.div_euclid(divisor);
        if quotient == most.div_euclid(divisor) {
            return form.plus(-divisor, &Form::constant(quotient));
        }
        let Ok(greatest) = u8::try_from(divisor - 1) else {
            let quotient = self.quotient(e, form, divisor)?;
            return form.plus(-divisor, &quotient);
        };
        let key = (form.clone(), divisor, Part::Remainder);
        if let Some(known) = self.divided.get(&key) {
            return Some(known.clone());
        }
        let atom = self.variable(greatest);
        let remainder = Form::atom(atom);
        self.define(atom, Relation::new(form.plus(-1, &remainder)?, (0, 0), Some(divisor), vec![e]))?;
        self.divided.insert(key, remainder.clone());
        Some(remainder)
    }

    /// The atom of a new variable from 0 to `greatest`.
    fn variable(&mut self, greatest: u8) -> usize {
        let domain = ByteSet::range(0, greatest);
        self.atoms.push(Atom::of(self.domains.len(), None, &domain));
        self.domains.push(domain);
        self.atoms.len() - 1
    }

    fn define(&mut self, atom: usize, relation: Relation) -> Option<()> {
        if let Reading::Open(relation) = relation.bounded(&self.atoms)? {
            self.definitions.push((atom, relation));
        }
        Some(())
    }
}
