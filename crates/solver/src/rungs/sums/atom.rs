//! What sums are made of: something that depends on a single variable, however it is computed.

use secateur_expr::TruthTable;

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
    pub(super) fn of(variable: usize, table: Option<Box<[i64; 256]>>, domain: &TruthTable) -> Atom {
        let worth = |value: u8| table.as_ref().map_or(value.into(), |table| table[usize::from(value)].into());
        let least = values_of(domain).map(worth).min().unwrap_or(0);
        let most = values_of(domain).map(worth).max().unwrap_or(0);
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

/// The members of a set of byte values, from the least to the greatest.
pub(super) fn values_of(values: &TruthTable) -> impl Iterator<Item = u8> {
    (0..).zip(*values).flat_map(|(at, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
            word &= word - 1;
            Some(64 * at + bit)
        })
    })
}
