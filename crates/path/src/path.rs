//! The decisions that a path has taken: a list that all paths with a common past share, and what follows from it.

use secateur_expr::{Expr, Pool, Valuation};

use crate::choice_key::ChoiceKey;
use crate::condition::PathCondition;
use crate::groups::{About, Groups};
use crate::knowledge::Knowledge;
use crate::list::List;
use crate::refutation::refutation;

/// The conditions that the input of a path satisfies.
///
/// ```
/// use secateur_expr::Pool;
/// use secateur_path::{ChoiceKey, Path};
///
/// let mut pool = Pool::new();
/// let (a, b) = (pool.input(0, 1), pool.input(1, 1));
/// let (five, nine) = (pool.constant(8, 5), pool.constant(8, 9));
/// let (first, second) = (pool.ult(a, five), pool.ult(b, nine));
/// let mut path = Path::default();
/// path.push(&mut pool, first, ChoiceKey::Side(true));
/// path.push_implied(ChoiceKey::Side(false));
/// path.push(&mut pool, second, ChoiceKey::Side(true));
/// assert_eq!(path.len(), 3);
///
/// let goal = pool.eq(b, nine);
/// assert_eq!(path.connected(&pool, goal), [second]);
/// let refutation = path.refutation(&mut pool, goal).expect("b is less than 9");
/// assert_eq!(refutation[0].decision, 2);
/// ```
#[derive(Clone, Default)]
pub struct Path {
    conditions: List<PathCondition>,
    /// How many decisions were taken, those included whose condition follows from others.
    length: u32,
    identity: u64,
    groups: Groups,
    knowledge: Knowledge,
}

impl Path {
    /// A path with these conditions.
    pub fn of(pool: &mut Pool, conditions: &[Expr]) -> Path {
        let mut path = Path::default();
        for &condition in conditions {
            path.push(pool, condition, ChoiceKey::Side(true));
        }
        path
    }

    /// Adds a decision. `key` tells it from the others that were possible at the same point.
    pub fn push(&mut self, pool: &mut Pool, condition: Expr, key: ChoiceKey) {
        let decided = PathCondition { decision: self.length, condition };
        self.push_implied(key);
        self.conditions.push(decided);
        let about = self.knowledge.learn(pool, condition);
        self.groups.add(pool, decided, about);
    }

    /// Adds a decision that could not have gone another way: its condition follows from those before, and is not kept. Most decisions of a long path are of
    /// this kind.
    #[inline]
    pub fn push_implied(&mut self, key: ChoiceKey) {
        self.identity = self.identity_with(key);
        self.length += 1;
    }

    /// How many decisions were taken.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// No decision was taken.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Names the sequence of choices: the same in every run, on every machine.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// The identity that the path would have after one more decision.
    pub fn identity_with(&self, key: ChoiceKey) -> u64 {
        key.extend(self.identity)
    }

    /// The conditions, oldest first.
    pub fn conditions(&self) -> Vec<Expr> {
        let mut conditions: Vec<Expr> = self.decided().map(|decided| decided.condition).collect();
        conditions.reverse();
        conditions
    }

    /// The conditions with the decisions that they come from, newest first. Decisions that followed from those before have none.
    pub fn decided(&self) -> impl Iterator<Item = PathCondition> {
        self.conditions.iter().copied()
    }

    /// No input of this path satisfies the condition; this is certain, and quick. False may mean that it takes a solver to tell.
    pub fn refutes(&self, pool: &mut Pool, condition: Expr) -> bool {
        self.knowledge.refutes(pool, condition)
    }

    /// Why the path refutes a condition, if it does: conditions of the path, oldest first, that contradict it together. They are few, but not always
    /// the fewest. This takes much longer than [`Path::refutes`], which should be asked first.
    pub fn refutation(&self, pool: &mut Pool, condition: Expr) -> Option<Vec<PathCondition>> {
        if !self.refutes(pool, condition) {
            return None;
        }
        let groups = self.groups.touching(pool, condition);
        let connected: Vec<PathCondition> = groups.iter().flat_map(|group| group.conditions.iter().copied()).collect();
        refutation(pool, &connected, condition).or_else(|| {
            // Conditions without variables, such as those on the result of a native function, are in no group.
            let mut all: Vec<PathCondition> = self.decided().collect();
            all.reverse();
            refutation(pool, &all, condition)
        })
    }

    /// The conditions that have to do with `goal`. Bytes that are neither in them nor in `goal` can keep their values.
    pub fn connected(&self, pool: &Pool, goal: Expr) -> Vec<Expr> {
        let groups = self.groups.touching(pool, goal);
        groups.iter().flat_map(|group| group.conditions.iter().map(|decided| decided.condition)).collect()
    }

    /// Values of input bytes on which `goal` holds together with the path, if that is plain to see: when `goal` and all that has to do
    /// with it is about one byte or word. The values are as near as possible to the current ones, and all other bytes can stay.
    pub fn satisfy(&self, pool: &mut Pool, goal: Expr, current: &mut Valuation) -> Option<Vec<(u32, u8)>> {
        if let Some((byte, table)) = pool.on_one_byte(goal) {
            self.is_only_about(pool, goal, About::Byte(byte)).then_some(())?;
            let values = self.knowledge.byte_values(byte, table);
            return Some(vec![(byte, values.nearest(current.byte(byte))?)]);
        }
        let restriction = pool.restriction(goal)?;
        let word = restriction.word;
        self.is_only_about(pool, goal, About::Word(word)).then_some(())?;
        let values = self.knowledge.word_values(word, &restriction.values);
        let value = values.nearest(current.eval_wide(pool, word))?;
        Some(pool.bytes_of_word(word, value))
    }

    /// All conditions that have to do with `goal` are about this.
    fn is_only_about(&self, pool: &Pool, goal: Expr, about: About) -> bool {
        self.groups.touching(pool, goal).iter().all(|group| group.about == Some(about))
    }
}
