//! What determines where a path goes and what expressions evaluate to.
//!
//! Usually this is an input alone. A path that runs again also has recorded choices: for the decisions that its input
//! does not determine, or for all of them if there is no input. For a state of holes, the guide holds the value that
//! each hole had on the real path.

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::ChoiceKey;

/// Determines where a path goes. At a decision it takes the recorded choice; without a record, the choice whose
/// condition holds.
///
/// ```
/// use secateur_expr::Pool;
/// use secateur_machine::Guide;
/// use secateur_path::ChoiceKey;
///
/// let mut pool = Pool::new();
/// let (byte, hole) = (pool.input(0, 1), pool.hole(3, 8));
/// let sum = pool.add(byte, hole);
/// let mut guide = Guide::default();
/// guide.follow(vec![40]);
/// guide.values.set_hole(3, 2);
/// assert_eq!(guide.eval(&pool, sum), 42);
///
/// guide.set_record([(5, ChoiceKey::Side(false))]);
/// assert_eq!(guide.recorded(5), Some(ChoiceKey::Side(false)));
/// assert_eq!(guide.recorded(6), None);
/// ```
#[derive(Default)]
pub struct Guide {
    /// The input, the values of holes, and what expressions evaluate to under them.
    pub values: Valuation,
    /// By the index of the decision, in ascending order.
    record: Vec<(u32, ChoiceKey)>,
}

impl Guide {
    /// The input.
    pub fn input(&self) -> &[u8] {
        self.values.input()
    }

    /// Replaces the input.
    pub fn follow(&mut self, input: Vec<u8>) {
        self.values.set_input(input);
    }

    /// What an expression of at most 64 bits evaluates to.
    #[inline]
    pub fn eval(&mut self, pool: &Pool, expr: Expr) -> u64 {
        self.values.eval(pool, expr)
    }

    /// Replaces the recorded choices; each belongs to the decision with this index.
    pub fn set_record(&mut self, record: impl IntoIterator<Item = (u32, ChoiceKey)>) {
        self.record.clear();
        self.record.extend(record);
        self.record.sort_by_key(|(decision, _)| *decision);
    }

    /// The recorded choice of a decision.
    #[inline]
    pub fn recorded(&self, decision: u32) -> Option<ChoiceKey> {
        // Most paths have no record.
        if self.record.is_empty() {
            return None;
        }
        let index = self.record.binary_search_by_key(&decision, |(decision, _)| *decision).ok()?;
        Some(self.record[index].1)
    }

    /// Forgets what expressions evaluate to, because the pool is replaced.
    pub(crate) fn forget_expressions(&mut self) {
        self.values = Valuation::new(self.values.input().to_vec());
    }
}
