//! Relations from counterexamples.

use rustc_hash::FxHashMap;
use secateur_expr::{Expr, Intervals, Pool, Valuation};
use secateur_machine::Machine;

use super::candidate::{Candidate, FieldByte, Root};

/// What a counterexample teaches.
pub(crate) enum Lesson {
    /// Its conditions do not all hold: a relation that all samples satisfy.
    Relation(Vec<Expr>),
    /// The sample of this number meets all conditions of the counterexample, so it is not to be excluded.
    Real(usize),
    /// Nothing about the fields is among its conditions.
    Nothing,
}

/// What samples hold in some fields.
#[derive(Default)]
pub(crate) struct SampleValues {
    /// The holes of the fields.
    pub holes: Vec<u32>,
    /// For each sample, what each of the fields holds; `None` if it was never written.
    pub lines: Vec<Vec<Option<u64>>>,
    /// Which samples meet a condition, as far as this was asked: a bit for each. Relations share their conditions.
    known: FxHashMap<Expr, Met>,
    /// How often a condition was evaluated for a sample.
    pub evaluated: u64,
}

/// Which samples meet a condition.
#[derive(Clone, Default)]
struct Met {
    bits: Vec<u64>,
    /// How many samples there were.
    samples: usize,
}

impl SampleValues {
    pub(crate) fn new(holes: Vec<u32>, lines: Vec<Vec<Option<u64>>>) -> SampleValues {
        SampleValues { holes, lines, ..SampleValues::default() }
    }

    /// Whether every sample fails a condition of a relation, whatever is read in the round; as far as zeros show.
    pub(crate) fn satisfy(&mut self, pool: &Pool, relation: &[Expr]) -> bool {
        let met: Vec<Vec<u64>> = relation.iter().map(|condition| self.meeting(pool, *condition, &[])).collect();
        first_common(&met, |_| true).is_none()
    }

    /// Which samples meet a condition, if this is what is read in the round.
    fn meeting(&mut self, pool: &Pool, condition: Expr, fresh: &[u8]) -> Vec<u64> {
        // What is read differs from one counterexample to the next.
        if !pool.support_bytes(pool.support(condition)).is_empty() {
            let mut met = Met::default();
            self.extend(pool, condition, fresh, &mut met);
            return met.bits;
        }
        let mut met = self.known.remove(&condition).unwrap_or_default();
        self.extend(pool, condition, fresh, &mut met);
        let bits = met.bits.clone();
        self.known.insert(condition, met);
        bits
    }

    fn extend(&mut self, pool: &Pool, condition: Expr, fresh: &[u8], met: &mut Met) {
        let holes = pool.holes(condition);
        let columns: Vec<usize> =
            holes.iter().filter_map(|hole| self.holes.iter().position(|known| known == hole)).collect();
        let mut values = Valuation::new(fresh.to_vec());
        met.bits.resize(self.lines.len().div_ceil(64), 0);
        for (index, line) in self.lines.iter().enumerate().skip(met.samples) {
            values.forget_holes();
            for column in &columns {
                values.add_hole(self.holes[*column], u128::from(line[*column].unwrap_or(0)));
            }
            if values.holds(pool, condition) {
                met.bits[index / 64] |= 1 << (index % 64);
            }
        }
        self.evaluated += (self.lines.len() - met.samples) as u64;
        met.samples = self.lines.len();
    }
}

/// The first sample that meets all wanted conditions.
fn first_common(met: &[Vec<u64>], wanted: impl Fn(usize) -> bool) -> Option<usize> {
    let wanted: Vec<&Vec<u64>> =
        met.iter().enumerate().filter(|(index, _)| wanted(*index)).map(|(_, bits)| bits).collect();
    let words = wanted.first()?.len();
    (0..words).find_map(|word| {
        let all = wanted.iter().fold(u64::MAX, |all, bits| all & bits[word]);
        (all != 0).then(|| word * 64 + all.trailing_zeros() as usize)
    })
}

/// Conditions on the input of a path from the root, over the holes of the fields. Conditions that are about other input
/// alone are left out: some input satisfies them.
pub(crate) fn over_fields(machine: &mut Machine, candidate: &Candidate, root: &Root, conditions: &[Expr]) -> Vec<Expr> {
    let (first, end) = (root.first, root.first + root.bytes.len() as u32);
    let mut found = Vec::new();
    for &condition in conditions {
        let bytes = machine.pool.support_bytes(machine.pool.support(condition)).to_vec();
        if !bytes.iter().any(|byte| (first..end).contains(byte)) || bytes.iter().any(|byte| *byte < first) {
            continue;
        }
        if let [byte] = bytes[..]
            && let FieldByte::Index(location) = root.bytes[(byte - first) as usize]
            && let Some(field) = candidate.fields.get(&location)
            && let Some((_, indices)) = machine.pool.on_one_byte(condition)
        {
            let values = field.values.iter().flatten().enumerate();
            let meant = values.filter(|(index, _)| indices.contains(*index as u8));
            let meant = Intervals::of(meant.map(|(_, value)| u128::from(*value)));
            found.push(machine.pool.member(field.hole, &meant));
            continue;
        }
        let over = machine.pool.replace_input_bytes(&[condition], &mut |pool, index| {
            let meaning = *index.checked_sub(first).and_then(|at| root.bytes.get(at as usize))?;
            match meaning {
                FieldByte::Part { hole, byte } => {
                    let width = pool.width(hole);
                    let low = byte * 8;
                    let part = pool.extract(hole, low, (width - low).min(8));
                    Some(pool.zext(part, 8))
                }
                FieldByte::Index(location) => {
                    let field = candidate.fields.get(&location)?;
                    let mut number = pool.constant(8, 0);
                    for (index, value) in field.values.iter().flatten().enumerate() {
                        let value = pool.constant(pool.width(field.hole), u128::from(*value));
                        let is_value = pool.eq(field.hole, value);
                        let index = pool.constant(8, index as u128);
                        number = pool.ite(is_value, index, number);
                    }
                    Some(number)
                }
            }
        });
        // What is read in the round is numbered from its start on.
        found.extend(machine.pool.shift_inputs(&over, end, 0));
    }
    found.retain(|condition| machine.pool.as_const(*condition).is_none());
    found.dedup();
    found
}

/// The relation that conditions over fields do not all hold, generalised: conditions are left out as long as every
/// sample still fails one of the others. `fresh` is what the counterexample has read in the round.
pub(crate) fn generalise(pool: &Pool, samples: &mut SampleValues, conditions: Vec<Expr>, fresh: &[u8]) -> Lesson {
    if conditions.is_empty() {
        return Lesson::Nothing;
    }
    let met: Vec<Vec<u64>> = conditions.iter().map(|condition| samples.meeting(pool, *condition, fresh)).collect();
    if let Some(sample) = first_common(&met, |_| true) {
        return Lesson::Real(sample);
    }
    let mut kept = vec![true; conditions.len()];
    for index in 0..conditions.len() {
        kept[index] = false;
        let is_empty = !kept.contains(&true);
        kept[index] = is_empty || first_common(&met, |other| kept[other]).is_some();
    }
    let relation = conditions.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(condition, _)| condition);
    Lesson::Relation(relation.collect())
}
