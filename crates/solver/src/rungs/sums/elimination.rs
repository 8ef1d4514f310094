//! Gaussian elimination, for contradictions that only show when equations are added up. If all rows and all columns but
//! one of a square have the same sum, so has the last column; a search takes exponential time to find that out.

use secateur_expr::Expr;

use super::atom::Atom;
use super::form::Form;
use super::relation::{Reading, Relation};

/// Combinations with larger factors are dropped, so that products do not overflow.
const MAX_FACTOR: i128 = 1 << 32;

/// Equations that follow from the relations, each with an atom that occurs in no other. The error is a core:
/// expressions whose relations contradict each other. `work` is how many terms may be added up.
pub(super) fn eliminate(relations: &[Relation], atoms: &[Atom], mut work: usize) -> Result<Vec<Relation>, Vec<Expr>> {
    let is_modular = |relation: &&Relation| !relation.exact;
    let mut moduli: Vec<i128> =
        relations.iter().filter(is_modular).filter(|relation| relation.span == 0).map(|r| r.modulus).collect();
    moduli.sort_unstable();
    moduli.dedup();
    let fixed: Vec<&Relation> =
        relations.iter().filter(|r| r.exact && r.span == 0 && r.form.terms.len() == 1).collect();
    let mut derived = Vec::new();
    for modulus in moduli {
        let same = relations.iter().filter(is_modular).filter(|relation| relation.modulus == modulus);
        // A known remainder turns the definition of its dividend into an equation.
        let usable: Vec<&Relation> = fixed.iter().copied().chain(same).collect();
        derived.extend(Elimination::new(Some(modulus), &mut work).derive(&usable, atoms)?);
    }
    // Numbers that are congruent modulo some number may be within such close bounds that they are equal.
    let exact: Vec<&Relation> = relations.iter().chain(&derived).filter(|relation| relation.exact).collect();
    let equations = Elimination::new(None, &mut work).derive(&exact, atoms)?;
    derived.extend(equations);
    Ok(derived)
}

/// A system of equations over the integers, or modulo one number.
struct Elimination<'a> {
    modulus: Option<i128>,
    rows: Vec<Row>,
    work: &'a mut usize,
}

/// The equation `form = 0`. Its pivot occurs in no other row.
struct Row {
    form: Form,
    pivot: usize,
    reasons: Vec<Expr>,
}

impl<'a> Elimination<'a> {
    fn new(modulus: Option<i128>, work: &'a mut usize) -> Elimination<'a> {
        Elimination { modulus, rows: Vec::new(), work }
    }

    /// What follows from the equations among these relations. The error is a core of the relations.
    fn derive(mut self, relations: &[&Relation], atoms: &[Atom]) -> Result<Vec<Relation>, Vec<Expr>> {
        for equation in relations.iter().filter(|relation| relation.span == 0) {
            self.add(equation)?;
        }
        if !self.rows.is_empty() {
            for relation in relations.iter().filter(|relation| relation.span != 0) {
                self.check(relation)?;
            }
        }
        let mut derived = Vec::new();
        for Row { form, reasons, .. } in self.rows.into_iter().filter(|row| row.reasons.len() > 1) {
            match Relation::new(form, (0, 0), self.modulus, reasons.clone()).bounded(atoms) {
                Some(Reading::Open(relation)) => derived.push(relation),
                Some(Reading::Never) => return Err(reasons),
                Some(Reading::Always) | None => {}
            }
        }
        Ok(derived)
    }

    /// Adds an equation. The error is a core.
    fn add(&mut self, equation: &Relation) -> Result<(), Vec<Expr>> {
        let form = self.centered(Form { constant: -equation.low, ..equation.form.clone() });
        let Some((_, form, reasons)) = self.reduced(form, equation.reasons.clone()) else { return Ok(()) };
        let divisor = form.terms.iter().fold(self.modulus.unwrap_or(0), |divisor, (_, factor)| gcd(divisor, *factor));
        // Zero divides only zero.
        if if divisor == 0 { form.constant != 0 } else { form.constant % divisor != 0 } {
            return Err(reasons);
        }
        let Some((pivot, form)) = self.with_pivot(form) else { return Ok(()) };
        let row = Row { form, pivot, reasons };
        for at in 0..self.rows.len() {
            let other = &self.rows[at];
            if other.form.factor(pivot) == 0 {
                continue;
            }
            *self.work = self.work.saturating_sub(other.form.terms.len() + row.form.terms.len());
            // A row that keeps the pivot of another is still true, only less useful.
            if let Some((_, form)) = self.without_pivot(&other.form, &row) {
                let other = &mut self.rows[at];
                other.form = form;
                other.reasons.extend(&row.reasons);
                other.reasons.sort_unstable();
                other.reasons.dedup();
            }
        }
        self.rows.push(row);
        Ok(())
    }

    /// Checks a relation whose form the equations determine. The error is a core.
    fn check(&mut self, relation: &Relation) -> Result<(), Vec<Expr>> {
        let reduced = self.reduced(self.centered(relation.form.clone()), relation.reasons.clone());
        let Some((scale, form, reasons)) = reduced else { return Ok(()) };
        let Some(value) = form.as_constant() else { return Ok(()) };
        let after_low = (value - scale * relation.low).rem_euclid(scale * relation.modulus);
        if after_low > scale * relation.span { Err(reasons) } else { Ok(()) }
    }

    /// A positive scale, a form without pivots that equals the given one times the scale, and the reasons of the rows
    /// that were added.
    fn reduced(&mut self, mut form: Form, mut reasons: Vec<Expr>) -> Option<(i128, Form, Vec<Expr>)> {
        let mut scale: i128 = 1;
        for row in &self.rows {
            if form.factor(row.pivot) == 0 {
                continue;
            }
            *self.work = self.work.checked_sub(form.terms.len() + row.form.terms.len())?;
            let (times, next) = self.without_pivot(&form, row)?;
            scale = scale.checked_mul(times).filter(|scale| *scale < MAX_FACTOR)?;
            form = next;
            reasons.extend(&row.reasons);
        }
        reasons.sort_unstable();
        reasons.dedup();
        Some((scale, form, reasons))
    }

    /// Picks a pivot and scales the equation. If there is a modulus, the pivot's factor becomes one, so that nothing
    /// has to be divided.
    fn with_pivot(&self, form: Form) -> Option<(usize, Form)> {
        let least = |(_, factor): &&(usize, i128)| factor.abs();
        match self.modulus {
            None => {
                let &(pivot, _) = form.terms.iter().min_by_key(least)?;
                let divisor = form.terms.iter().fold(0, |divisor, (_, factor)| gcd(divisor, *factor));
                Some((pivot, divided(form, divisor)))
            }
            Some(modulus) => {
                let units = form.terms.iter().filter(|(_, factor)| gcd(*factor, modulus) == 1);
                let &(pivot, factor) = units.min_by_key(least)?;
                let form = Form::default().plus(inverse(factor, modulus), &form)?;
                Some((pivot, self.centered(form)))
            }
        }
    }

    /// A positive scale, and the form times the scale plus the multiple of the row that cancels the pivot.
    fn without_pivot(&self, form: &Form, row: &Row) -> Option<(i128, Form)> {
        let (factor, pivot) = (form.factor(row.pivot), row.form.factor(row.pivot));
        let divisor = gcd(factor, pivot);
        let times = (pivot / divisor).abs();
        let sum = self.centered(Form::combined(times, form, -(factor / divisor) * pivot.signum(), &row.form)?);
        let fits = |factor: i128| factor.abs() < MAX_FACTOR;
        (fits(times)
            && sum.terms.iter().all(|(_, factor)| fits(*factor))
            && sum.constant.abs() < MAX_FACTOR * MAX_FACTOR / 16)
            .then_some((times, sum))
    }

    /// The form with the representatives of its factors that are nearest to zero.
    fn centered(&self, mut form: Form) -> Form {
        let Some(modulus) = self.modulus else { return form };
        let near = |factor: i128| (factor + modulus / 2).rem_euclid(modulus) - modulus / 2;
        form.constant = near(form.constant);
        form.terms.iter_mut().for_each(|(_, factor)| *factor = near(*factor));
        form.terms.retain(|(_, factor)| *factor != 0);
        form
    }
}

fn divided(mut form: Form, divisor: i128) -> Form {
    form.constant /= divisor;
    form.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
    form
}

/// The inverse of a number that is coprime to the modulus, by Euclid's algorithm.
fn inverse(number: i128, modulus: i128) -> i128 {
    let (mut a, mut b) = (number.rem_euclid(modulus), modulus);
    let (mut x, mut y) = (1, 0);
    while b != 0 {
        let times = a / b;
        (a, b) = (b, a - times * b);
        (x, y) = (y, x - times * y);
    }
    x
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tuning;
    use secateur_expr::Pool;

    /// Eliminates equations over digits, given as factors and values; the last is a disequality if `different`. Returns
    /// those that contradict each other.
    fn contradiction(
        factors: &[&[i128]],
        values: &[i128],
        different: bool,
        modulus: Option<i128>,
    ) -> Option<Vec<usize>> {
        let mut pool = Pool::new();
        let atoms: Vec<Atom> = (0..4).map(|variable| Atom { variable, table: None, bounds: (0, 9) }).collect();
        let reasons: Vec<Expr> = (0..factors.len() as u32).map(|i| pool.input(i, 1)).collect();
        let mut relations = Vec::new();
        for (i, (factors, &value)) in factors.iter().zip(values).enumerate() {
            let terms = factors.iter().copied().enumerate().filter(|(_, factor)| *factor != 0).collect();
            let form = Form { constant: -value, terms };
            let different = different && i + 1 == values.len();
            let modulus = modulus.unwrap_or(1 << 32);
            let residues = if different { (1, modulus - 1) } else { (0, 0) };
            match Relation::new(form, residues, Some(modulus), vec![reasons[i]]).bounded(&atoms) {
                Some(Reading::Open(relation)) => relations.push(relation),
                _ => panic!("equation {i} is decided alone"),
            }
        }
        let by = eliminate(&relations, &atoms, Tuning::default().sums_elimination_work).err()?;
        Some((0..reasons.len()).filter(|&i| by.contains(&reasons[i])).collect())
    }

    #[test]
    fn equations_are_added_up() {
        let equations: &[&[i128]] = &[&[1, 1, 0, 0], &[0, 0, 1, 1], &[1, 0, 1, 0], &[0, 1, 0, 1]];
        assert_eq!(contradiction(equations, &[8, 12, 10, 9], false, None), Some(vec![0, 1, 2, 3]));
        assert_eq!(contradiction(equations, &[8, 12, 10, 10], false, None), None);
        assert_eq!(contradiction(equations, &[8, 12, 10, 10], true, None), Some(vec![0, 1, 2, 3]));
        assert_eq!(contradiction(equations, &[8, 12, 10, 9], true, None), None);
    }

    #[test]
    fn factors_other_than_one_are_eliminated() {
        let equations: &[&[i128]] = &[&[2, 3, 0, 0], &[3, 2, 0, 0], &[1, 1, 0, 0]];
        assert_eq!(contradiction(equations, &[31, 34, 13], true, None), Some(vec![0, 1, 2]));
        assert_eq!(contradiction(equations, &[31, 34, 12], true, None), None);
        assert_eq!(contradiction(equations, &[31, 34, 12], false, None), Some(vec![0, 1, 2]));
    }

    #[test]
    fn cores_are_small() {
        let equations: &[&[i128]] = &[&[1, 1, 0, 0], &[0, 0, 3, 1], &[2, 2, 0, 0]];
        assert_eq!(contradiction(equations, &[10, 20, 22], false, None), Some(vec![0, 2]));
        assert_eq!(contradiction(equations, &[10, 20, 20], true, None), Some(vec![0, 2]));
    }

    #[test]
    fn solutions_are_integers() {
        let equations: &[&[i128]] = &[&[1, 1, 0, 0], &[1, -1, 0, 0]];
        assert_eq!(contradiction(equations, &[10, 3], false, None), Some(vec![0, 1]));
        assert_eq!(contradiction(equations, &[10, 4], false, None), None);
    }

    #[test]
    fn congruences_are_added_up() {
        let equations: &[&[i128]] = &[&[3, 1, 1, 0], &[1, 1, 2, 0], &[4, 2, 3, 0]];
        assert_eq!(contradiction(equations, &[4, 9, 4], false, Some(10)), Some(vec![0, 1, 2]));
        assert_eq!(contradiction(equations, &[4, 9, 3], false, Some(10)), None);
        assert_eq!(contradiction(equations, &[4, 9, 3], true, Some(10)), Some(vec![0, 1, 2]));
        // Two digits that are congruent modulo 10 are equal.
        let equations: &[&[i128]] = &[&[3, 1, 1, 0], &[3, 1, 0, 1], &[0, 0, 7, 3]];
        assert_eq!(contradiction(equations, &[4, 4, 1], false, Some(10)), Some(vec![0, 1, 2]));
        assert_eq!(contradiction(equations, &[4, 4, 1], true, Some(10)), None);
    }

    #[test]
    fn inverses_are_right() {
        for (number, modulus) in [(3, 10), (7, 10), (-3, 10), (1, 2), (5, 256), (-1, 1 << 32), (0xdead_beef, 1 << 32)] {
            assert_eq!((inverse(number, modulus) * number).rem_euclid(modulus), 1, "{number} modulo {modulus}");
        }
    }
}
