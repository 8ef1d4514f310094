//! The cores of a path's refutations, proved by an SMT solver.

use std::time::Duration;

use proptest::prelude::*;
use secateur_expr::{BinaryOp, Expr, Pool};
use secateur_path::{ChoiceKey, Path};
use secateur_solver::{Backend, BackendAnswer, BackendKind, Deadline, Options, backend};

/// Boolean combinations of comparisons of bytes, words and holes with constants and with each other.
#[derive(Clone, Debug)]
enum Condition {
    Compare(BinaryOp, Term, Term),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Copy, Debug)]
enum Term {
    Byte(u32),
    Word(u32),
    Hole(u32),
    Literal(u16),
}

impl Term {
    fn build(self, pool: &mut Pool) -> Expr {
        match self {
            Term::Byte(byte) => {
                let byte = pool.input(byte, 1);
                pool.zext(byte, 16)
            }
            Term::Word(first) => pool.input(first, 2),
            Term::Hole(id) => pool.hole(id, 16),
            Term::Literal(value) => pool.constant(16, value.into()),
        }
    }
}

impl Condition {
    fn build(&self, pool: &mut Pool) -> Expr {
        match self {
            Condition::Compare(op, a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.binary(*op, a, b)
            }
            Condition::Not(a) => {
                let a = a.build(pool);
                pool.not(a)
            }
            Condition::And(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.and(a, b)
            }
            Condition::Or(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.or(a, b)
            }
        }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    let variable = || {
        prop_oneof![
            3 => (0..3u32).prop_map(Term::Byte),
            2 => Just(Term::Word(3)),
            1 => (0..2u32).prop_map(Term::Hole),
        ]
    };
    let other = prop_oneof![4 => (0..12u16).prop_map(Term::Literal), 1 => variable()];
    let op = prop::sample::select(vec![BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt]);
    let leaf = (op, variable(), other).prop_map(|(op, a, b)| Condition::Compare(op, a, b));
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Condition::Not(Box::new(a))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
        ]
    })
}

/// Checks the refutation of each goal that the path refutes; returns how many there are.
fn check(backend: &mut dyn Backend, path: &[(Condition, usize)], goals: &[Condition]) -> Result<usize, TestCaseError> {
    let mut pool = Pool::new();
    backend.forget().unwrap();
    let mut taken = Path::default();
    for (condition, implied) in path {
        let condition = condition.build(&mut pool);
        taken.push(&mut pool, condition, ChoiceKey::Side(true));
        (0..*implied).for_each(|_| taken.push_implied(ChoiceKey::Side(false)));
    }
    let mut refuted = 0;
    for goal in goals {
        let goal = goal.build(&mut pool);
        let core = taken.refutation(&mut pool, goal);
        prop_assert_eq!(core.is_some(), taken.refutes(&mut pool, goal));
        let Some(core) = core else { continue };
        refuted += 1;
        prop_assert!(core.is_sorted_by(|a, b| a < b), "{core:?}");
        prop_assert!(core.iter().all(|used| taken.decided().any(|decided| decided == *used)));
        let mut conditions: Vec<Expr> = core.iter().map(|used| used.condition).collect();
        conditions.push(goal);
        let answer = backend.check(&pool, &conditions, &Deadline::lasting(Duration::from_secs(20))).unwrap();
        prop_assert!(matches!(answer, BackendAnswer::Unsat { .. }), "{answer:?}");
    }
    Ok(refuted)
}

#[test]
fn refutations_are_sufficient() {
    let mut backend = backend(BackendKind::Bitwuzla, &Options::default()).unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(300));
    let paths = prop::collection::vec((condition(), 0..3usize), 0..7);
    let refuted = std::cell::Cell::new(0);
    let backend = std::cell::RefCell::new(&mut *backend);
    runner
        .run(&(paths, prop::collection::vec(condition(), 6)), |(path, goals)| {
            refuted.set(refuted.get() + check(&mut **backend.borrow_mut(), &path, &goals)?);
            Ok(())
        })
        .unwrap();
    assert!(refuted.get() > 100, "only {} conditions were refuted", refuted.get());
}
