//! The decisions of a path: a list that all paths with a common prefix share, and what follows from it.

use secateur_expr::{ByteSet, Expr, Intervals, Pool, Valuation};

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
    /// How many decisions were taken, including implied ones.
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

    /// Adds a decision. `key` identifies the choice among those of the decision.
    pub fn push(&mut self, pool: &mut Pool, condition: Expr, key: ChoiceKey) {
        let decided = PathCondition { decision: self.length, condition };
        self.push_implied(key);
        self.conditions.push(decided);
        let about = self.knowledge.learn(pool, condition);
        self.groups.add(pool, decided, about);
    }

    /// Adds a decision whose condition is implied by those before, and is not kept. Most decisions of a long path are
    /// of this kind.
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

    /// A hash of the sequence of choices: the same in every run, on every machine.
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

    /// The conditions with their decisions, newest first. Implied decisions have none.
    pub fn decided(&self) -> impl Iterator<Item = PathCondition> {
        self.conditions.iter().copied()
    }

    /// No input of this path satisfies the condition. This is fast and certain; false may mean that only a solver can
    /// decide it.
    pub fn refutes(&self, pool: &mut Pool, condition: Expr) -> bool {
        self.knowledge.refutes(pool, condition)
    }

    /// Every input of the path gives the expression the same value. This is fast and certain; false may mean that only
    /// a solver can decide it.
    #[inline]
    pub fn determines(&self, pool: &Pool, e: Expr) -> bool {
        self.knowledge.determines(pool, e)
    }

    /// Which of these values an input byte can have, as far as conditions on it alone say.
    pub fn byte_values(&self, byte: u32, values: ByteSet) -> ByteSet {
        self.knowledge.byte_values(byte, values)
    }

    /// Which of these values an input word can have, as far as conditions on it alone say.
    pub fn word_values(&self, word: Expr, values: &Intervals) -> Intervals {
        self.knowledge.word_values(word, values)
    }

    /// The conditions of the path, oldest first, that contradict a condition which the path refutes. They are few, but
    /// not always minimal. This takes much longer than [`Path::refutes`].
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

    /// The conditions that `goal` depends on. Bytes that occur neither in them nor in `goal` can keep their values.
    pub fn connected(&self, pool: &Pool, goal: Expr) -> Vec<Expr> {
        let groups = self.groups.touching(pool, goal);
        groups.iter().flat_map(|group| group.conditions.iter().map(|decided| decided.condition)).collect()
    }

    /// Values of input bytes that satisfy `goal` together with the path, if `goal` and all conditions that it depends
    /// on are about one byte or word. The values are as near as possible to the current ones, and all other bytes can
    /// keep theirs.
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

    /// All conditions that `goal` depends on are about this byte or word.
    fn is_only_about(&self, pool: &Pool, goal: Expr, about: About) -> bool {
        self.groups.touching(pool, goal).iter().all(|group| group.about == Some(about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_fixed_bytes_is_determined() {
        let mut pool = Pool::new();
        let (word, byte, other) = (pool.input(0, 4), pool.input(4, 1), pool.input(5, 1));
        let (part, four, letter) = (pool.input(1, 1), pool.constant(32, 4), pool.constant(8, b'x'.into()));
        let sum = pool.add(part, byte);
        let mixed = pool.add(sum, other);
        let (is_four, is_letter) = (pool.eq(word, four), pool.eq(byte, letter));
        let mut path = Path::default();
        path.push(&mut pool, is_four, ChoiceKey::Side(true));
        assert!(path.determines(&pool, part));
        assert!(!path.determines(&pool, sum), "one byte of it may have any value");
        path.push(&mut pool, is_letter, ChoiceKey::Side(true));
        assert!(path.determines(&pool, sum));
        assert!(!path.determines(&pool, mixed));
    }
}
