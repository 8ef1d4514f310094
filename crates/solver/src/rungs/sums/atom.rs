//! Atoms: the functions of a single variable that sums are linear combinations of.

use secateur_expr::ByteSet;

use super::form::Form;

/// A function of one variable.
pub(super) struct Atom {
    pub(super) variable: usize,
    /// Its value for each value of the variable; the identity if there is no table.
    pub(super) table: Option<Box<[i64; 256]>>,
    /// Its least and its greatest value.
    pub(super) bounds: (i128, i128),
}

impl Atom {
    pub(super) fn of(variable: usize, table: Option<Box<[i64; 256]>>, domain: &ByteSet) -> Atom {
        let of = |value: u8| table.as_ref().map_or(value.into(), |table| table[usize::from(value)].into());
        let least = domain.iter().map(of).min().unwrap_or(0);
        let most = domain.iter().map(of).max().unwrap_or(0);
        Atom { variable, bounds: (least, most), table }
    }
}

/// Bounds of a form, as if its atoms were independent.
pub(super) fn bounds(form: &Form, atoms: &[Atom]) -> (i128, i128) {
    form.terms.iter().fold((form.constant, form.constant), |(least, most), &(atom, factor)| {
        let (a, b) = atoms[atom].bounds;
        (least + (factor * a).min(factor * b), most + (factor * a).max(factor * b))
    })
}
