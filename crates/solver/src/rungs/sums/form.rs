//! Linear forms over atoms, as integers.

use secateur_expr::Width;

/// `constant + Σ factor · atom`, with atoms by index.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Form {
    pub(super) constant: i128,
    /// Atoms and their factors, sorted; no factor is zero.
    pub(super) terms: Vec<(usize, i128)>,
}

impl Form {
    pub(super) fn constant(constant: i128) -> Form {
        Form { constant, terms: Vec::new() }
    }

    pub(super) fn atom(atom: usize) -> Form {
        Form { constant: 0, terms: vec![(atom, 1)] }
    }

    /// Its value, if it has no atoms.
    pub(super) fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The factor of an atom.
    pub(super) fn factor(&self, atom: usize) -> i128 {
        self.terms.binary_search_by_key(&atom, |(atom, _)| *atom).map_or(0, |at| self.terms[at].1)
    }

    /// `self + factor · other`; `None` if that needs more than 128 bits.
    pub(super) fn plus(&self, factor: i128, other: &Form) -> Option<Form> {
        Form::combined(1, self, factor, other)
    }

    /// `p · a + q · b`; `None` if that needs more than 128 bits.
    pub(super) fn combined(p: i128, a: &Form, q: i128, b: &Form) -> Option<Form> {
        let sum = |x: i128, y: i128| p.checked_mul(x)?.checked_add(q.checked_mul(y)?);
        let mut terms = Vec::with_capacity(a.terms.len() + b.terms.len());
        let (mut left, mut right) = (a.terms.iter().copied().peekable(), b.terms.iter().copied().peekable());
        loop {
            let atom = match (left.peek(), right.peek()) {
                (Some(&(x, _)), Some(&(y, _))) => x.min(y),
                (Some(&(x, _)), None) | (None, Some(&(x, _))) => x,
                (None, None) => break,
            };
            let x = left.next_if(|(at, _)| *at == atom).map_or(0, |(_, factor)| factor);
            let y = right.next_if(|(at, _)| *at == atom).map_or(0, |(_, factor)| factor);
            let factor = sum(x, y)?;
            if factor != 0 {
                terms.push((atom, factor));
            }
        }
        Some(Form { constant: sum(a.constant, b.constant)?, terms })
    }

    /// A congruent form modulo two to the power of a width. Its factors are nearest to zero, which makes its bounds as
    /// tight as possible.
    pub(super) fn modulo(mut self, width: Width) -> Form {
        self.constant = signed(width, self.constant);
        self.terms.iter_mut().for_each(|(_, factor)| *factor = signed(width, *factor));
        self.terms.retain(|(_, factor)| *factor != 0);
        self
    }
}

/// The lowest bits of a value as a signed number.
pub(super) fn signed(width: Width, value: i128) -> i128 {
    let unused = 128 - u32::from(width);
    value << unused >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_add_up() {
        let (x, y) = (Form::atom(0), Form::atom(1));
        let sum = Form::combined(3, &x, -2, &y).unwrap().plus(5, &Form::constant(7)).unwrap();
        assert_eq!(sum, Form { constant: 35, terms: vec![(0, 3), (1, -2)] });
        assert_eq!((sum.factor(1), sum.factor(2)), (-2, 0));
        assert_eq!(sum.plus(-3, &x).unwrap().plus(2, &y).unwrap().as_constant(), Some(35));
        assert_eq!(Form::combined(i128::MAX, &sum, 1, &x), None);
    }

    #[test]
    fn factors_are_taken_near_zero() {
        let form = Form { constant: 0xffff_ffd0, terms: vec![(0, 0x1_0000_0000), (1, 0xffff_ffff)] };
        assert_eq!(form.modulo(32), Form { constant: -48, terms: vec![(1, -1)] });
    }
}
