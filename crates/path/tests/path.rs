//! The knowledge of a path, compared with all inputs of two bytes.

use proptest::prelude::*;
use secateur_expr::{BinaryOp, Expr, Pool, Valuation};
use secateur_path::{ChoiceKey, Path};

/// A condition on two input bytes.
#[derive(Clone, Debug)]
enum Condition {
    Compare { op: BinaryOp, left: Term, right: Term },
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Debug)]
enum Term {
    First,
    Second,
    /// Both bytes as one word.
    Word,
    Literal(u16),
    Sum(Box<Term>, u16),
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        Just(Term::First),
        Just(Term::Second),
        Just(Term::Word),
        any::<u16>().prop_map(Term::Literal),
        (0..300u16).prop_map(Term::Literal),
    ];
    leaf.prop_recursive(2, 4, 1, |inner| (inner, any::<u16>()).prop_map(|(term, k)| Term::Sum(Box::new(term), k)))
}

fn condition() -> impl Strategy<Value = Condition> {
    let op = prop::sample::select(vec![BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle]);
    let leaf = (op, term(), term()).prop_map(|(op, left, right)| Condition::Compare { op, left, right });
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Condition::Not(Box::new(a))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Condition::Both(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Either(Box::new(a), Box::new(b))),
        ]
    })
}

impl Term {
    fn build(&self, pool: &mut Pool) -> Expr {
        match self {
            Term::First | Term::Second => {
                let byte = pool.input(u32::from(matches!(self, Term::Second)), 1);
                pool.zext(byte, 16)
            }
            Term::Word => pool.input(0, 2),
            Term::Literal(value) => pool.constant(16, (*value).into()),
            Term::Sum(term, k) => {
                let (term, k) = (term.build(pool), pool.constant(16, (*k).into()));
                pool.add(term, k)
            }
        }
    }
}

impl Condition {
    fn build(&self, pool: &mut Pool) -> Expr {
        match self {
            Condition::Compare { op, left, right } => {
                let (left, right) = (left.build(pool), right.build(pool));
                pool.binary(*op, left, right)
            }
            Condition::Not(a) => {
                let a = a.build(pool);
                pool.not(a)
            }
            Condition::Both(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.and(a, b)
            }
            Condition::Either(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.or(a, b)
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn refuted_conditions_cannot_hold_and_satisfied_ones_do(
        conditions in prop::collection::vec(condition(), 0..5),
        goal in condition(),
        current in any::<[u8; 2]>(),
    ) {
        let mut pool = Pool::new();
        let conditions: Vec<Expr> = conditions.iter().map(|condition| condition.build(&mut pool)).collect();
        let goal = goal.build(&mut pool);
        let path = Path::of(&mut pool, &conditions);
        prop_assert_eq!(&path.conditions(), &conditions);

        let mut valuation = Valuation::new(current.to_vec());
        if path.refutes(&mut pool, goal) {
            for input in 0..=u16::MAX {
                valuation.set_input(input.to_le_bytes().to_vec());
                let holds = conditions.iter().chain([&goal]).all(|&condition| valuation.holds(&pool, condition));
                prop_assert!(!holds, "{input:#x} shows that it can hold");
            }
            valuation.set_input(current.to_vec());
        }
        let takes_path = conditions.iter().all(|&condition| valuation.holds(&pool, condition));
        if let Some(model) = path.satisfy(&mut pool, goal, &mut valuation) && takes_path {
            valuation.set_input(current.to_vec());
            for (byte, value) in model {
                valuation.set_byte(byte, value);
            }
            for &condition in conditions.iter().chain([&goal]) {
                prop_assert!(valuation.holds(&pool, condition), "{}", pool.display(condition));
            }
        }
    }

    #[test]
    fn connected_conditions_are_those_that_share_bytes(pairs in prop::collection::vec((0..12u32, 0..12u32), 0..12), about in 0..12u32) {
        let mut pool = Pool::new();
        let below = |pool: &mut Pool, (a, b): (u32, u32)| {
            let (a, b) = (pool.input(a, 1), pool.input(b, 1));
            pool.ult(a, b)
        };
        let conditions: Vec<Expr> = pairs.iter().filter(|(a, b)| a != b).map(|&pair| below(&mut pool, pair)).collect();
        let (byte, seven) = (pool.input(about, 1), pool.constant(8, 7));
        let goal = pool.eq(byte, seven);
        let mut found = Path::of(&mut pool, &conditions).connected(&pool, goal);
        found.sort_unstable();

        let mut reached = vec![about];
        let mut expected: Vec<Expr> = Vec::new();
        while let Some(byte) = reached.pop() {
            for &condition in &conditions {
                let bytes = pool.support_bytes(pool.support(condition));
                if bytes.contains(&byte) && !expected.contains(&condition) {
                    expected.push(condition);
                    reached.extend(bytes);
                }
            }
        }
        found.dedup();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn repeated_questions_about_two_words_are_recognised() {
    let mut pool = Pool::new();
    let (a, b) = (pool.input(0, 4), pool.input(4, 4));
    let (below, above) = (pool.ult(a, b), pool.ule(b, a));
    let path = Path::of(&mut pool, &[below]);
    assert!(path.refutes(&mut pool, above));
    assert!(!path.refutes(&mut pool, below));
}

#[test]
fn clones_are_independent() {
    let mut pool = Pool::new();
    let (byte, five, nine) = (pool.input(0, 1), pool.constant(8, 5), pool.constant(8, 9));
    let (is_five, above_nine) = (pool.eq(byte, five), pool.ugt(byte, nine));
    let mut path = Path::default();
    let before = path.clone();
    path.push(&mut pool, is_five, ChoiceKey::Side(true));
    assert!(path.refutes(&mut pool, above_nine));
    assert!(!before.refutes(&mut pool, above_nine));
    assert_eq!((path.len(), before.len()), (1, 0));
    assert_ne!(path.identity(), before.identity());
}

#[test]
fn a_refutation_names_the_decisions_that_it_needs() {
    let mut pool = Pool::new();
    let (a, b) = (pool.input(0, 1), pool.input(1, 1));
    let [five, nine, twenty] = [5, 9, 20].map(|value| pool.constant(8, value));
    let other = pool.ult(b, nine);
    let above = pool.ugt(a, five);
    let below = pool.ult(a, twenty);
    let connecting = pool.ult(a, b);
    let mut path = Path::default();
    for condition in [other, above] {
        path.push(&mut pool, condition, ChoiceKey::Side(true));
    }
    path.push_implied(ChoiceKey::Side(true));
    for condition in [below, connecting] {
        path.push(&mut pool, condition, ChoiceKey::Side(true));
    }
    let decisions: Vec<(u32, Expr)> = path.decided().map(|decided| (decided.decision, decided.condition)).collect();
    assert_eq!(decisions, [(4, connecting), (3, below), (1, above), (0, other)]);

    let [at_least_twenty, at_most_five, is_nine, not_below] =
        [pool.uge(a, twenty), pool.ule(a, five), pool.eq(b, nine), pool.ule(b, a)];
    let both = pool.or(at_most_five, is_nine);
    for (goal, needed) in [
        (at_least_twenty, Some(vec![3])),
        (at_most_five, Some(vec![1])),
        (both, Some(vec![0, 1])),
        (not_below, Some(vec![4])),
        (below, None),
    ] {
        let core = path.refutation(&mut pool, goal);
        let found = core.map(|core| core.iter().map(|used| used.decision).collect::<Vec<_>>());
        assert_eq!(found, needed, "{}", pool.display(goal));
    }
}

#[test]
fn conditions_are_connected_through_holes() {
    let mut pool = Pool::new();
    let [first, second, third] = [0, 1, 2].map(|id| pool.hole(id, 8));
    let (byte, other, seven) = (pool.input(0, 1), pool.input(1, 1), pool.constant(8, 7));
    let hole_only = pool.ult(first, second);
    let unconnected = pool.ult(third, seven);
    let on_byte = pool.ult(byte, seven);
    let on_other = pool.ult(other, seven);
    let mixed = pool.ult(second, byte);
    let mut path = Path::of(&mut pool, &[hole_only, unconnected, on_byte, on_other]);
    let connected = |path: &Path, pool: &Pool, goal: Expr| {
        let mut found = path.connected(pool, goal);
        found.sort_unstable();
        found
    };
    let goal = pool.eq(first, seven);
    assert_eq!(connected(&path, &pool, goal), [hole_only]);
    assert_eq!(connected(&path, &pool, on_byte), [on_byte]);
    path.push(&mut pool, mixed, ChoiceKey::Side(true));
    let mut expected = [hole_only, on_byte, mixed];
    expected.sort_unstable();
    assert_eq!(connected(&path, &pool, goal), expected);
    assert_eq!(connected(&path, &pool, on_byte), expected);
}
