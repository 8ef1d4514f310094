//! What sums are made of: something that depends on a single variable, however it is computed.

use secateur_expr::ByteSet;

use super::form::Form;

/// Something that depends on one variable.
pub(super) struct Atom {
    pub(super) variable: usize,
    /// What it is worth for each value of the variable; the value itself if there is no table.
    pub(super) table: Option<Box<[i64; 256]>>,
    /// The least and the greatest of what it is worth.
    pub(super) bounds: (i128, i128),
}

impl Atom {
    pub(super) fn of(variable: usize, table: Option<Box<[i64; 256]>>, domain: &ByteSet) -> Atom {
        let worth = |value: u8| table.as_ref().map_or(value.into(), |table| table[usize::from(value)].into());
        let least = domain.iter().map(worth).min().unwrap_or(0);
        let most = domain.iter().map(worth).max().unwrap_or(0);
        Atom { variable, bounds: (least, most), table }
    }
}

/// The least and the greatest value of a form, if atoms are independent of each other.
pub(super) fn bounds(form: &Form, atoms: &[Atom]) -> (i128, i128) {
    form.terms.iter().fold((form.constant, form.constant), |(least, most), &(atom, factor)| {
        let (a, b) = atoms[atom].bounds;
        (least + (factor * a).min(factor * b), most + (factor * a).max(factor * b))
    })
}
