//! Random questions, answered by the whole ladder, by each rung alone and by both backends: all must agree.

use std::time::Duration;

use proptest::prelude::*;
use secateur_expr::{BinaryOp, Expr, Pool, RuleSet, Valuation};
use secateur_path::Path;
use secateur_solver::{Answer, BackendKind, Options, Rung, RungSet, Solver, UnknownReason};

/// A recipe for a condition over a few input words.
#[derive(Clone, Debug)]
struct Recipe {
    left: Term,
    right: Term,
    op: usize,
    negate: bool,
    join: Option<(bool, usize)>,
}

#[derive(Clone, Debug)]
struct Term {
    word: u32,
    steps: Vec<(usize, u8)>,
    literal: Option<u16>,
}

const COMPARISONS: [BinaryOp; 5] = [BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle];

/// Which conditions a family of questions is made of, so that every rung gets work.
#[derive(Clone, Copy, Debug)]
enum Family {
    Bytes,
    OneWord,
    Order,
    Mixed,
}

fn term(family: Family) -> BoxedStrategy<Term> {
    let (words, steps, literal) = match family {
        Family::Bytes => (0..3u32, 0..2usize, 0.6),
        Family::OneWord => (0..1, 0..3, 0.5),
        Family::Order => (0..5, 0..1, 0.15),
        Family::Mixed => (0..3, 0..4, 0.3),
    };
    let literal = proptest::option::weighted(literal, prop_oneof![any::<u16>(), 0..12u16, 0xfff0..=0xffffu16]);
    (words, proptest::collection::vec((0..12usize, any::<u8>()), steps), literal)
        .prop_map(|(word, steps, literal)| Term { word, steps, literal })
        .boxed()
}

fn recipe(family: Family) -> BoxedStrategy<Recipe> {
    let joined = if matches!(family, Family::Order) { 0.02 } else { 0.2 };
    let join = proptest::option::weighted(joined, (any::<bool>(), 0..4usize));
    (term(family), term(family), 0..COMPARISONS.len(), any::<bool>(), join)
        .prop_map(|(left, right, op, negate, join)| Recipe { left, right, op, negate, join })
        .boxed()
}

fn question(family: Family) -> BoxedStrategy<(Vec<Recipe>, Recipe, Vec<u8>)> {
    let path = proptest::collection::vec(recipe(family), 0..8);
    (path, recipe(family), proptest::collection::vec(any::<u8>(), 10)).boxed()
}

fn build_term(pool: &mut Pool, family: Family, term: &Term) -> Expr {
    if let Some(literal) = term.literal {
        return pool.constant(16, literal.into());
    }
    let mut e = match family {
        Family::Bytes => {
            let byte = pool.input(term.word, 1);
            pool.zext(byte, 16)
        }
        _ => pool.input(2 * term.word, 2),
    };
    for &(step, k) in &term.steps {
        let k = pool.constant(16, k.into());
        let other = pool.input(2 * ((term.word + 1) % 3), 2);
        e = match (step, family) {
            (0, _) => pool.add(e, k),
            (1, _) => pool.sub(k, e),
            (2, _) => pool.not(e),
            (3, _) => {
                let half = pool.extract(e, 8, 8);
                pool.sext(half, 16)
            }
            (4, _) => pool.udiv(e, k),
            (5, Family::Mixed) => pool.mul(e, k),
            (6, Family::Mixed) => pool.xor(e, other),
            (7, Family::Mixed) => pool.add(e, other),
            (8, Family::Mixed) => pool.urem(e, k),
            (9, Family::Mixed) => {
                let less = pool.ult(e, other);
                pool.ite(less, k, e)
            }
            (10, _) => pool.and(e, k),
            _ => e,
        };
    }
    e
}

fn build(pool: &mut Pool, family: Family, recipe: &Recipe, earlier: &[Expr]) -> Expr {
    let (left, right) = (build_term(pool, family, &recipe.left), build_term(pool, family, &recipe.right));
    let mut condition = pool.binary(COMPARISONS[recipe.op], left, right);
    if recipe.negate {
        condition = pool.not(condition);
    }
    match recipe.join {
        Some((and, at)) if !earlier.is_empty() => {
            let other = earlier[at % earlier.len()];
            if and { pool.and(condition, other) } else { pool.or(condition, other) }
        }
        _ => condition,
    }
}

fn agree(family: Family, (path, goal, current): (Vec<Recipe>, Recipe, Vec<u8>), rules: RuleSet) {
    let mut pool = Pool::with_rules(rules);
    let mut valuation = Valuation::new(current.clone());
    let mut conditions: Vec<Expr> = Vec::new();
    for recipe in &path {
        // The path holds on the current input, so what does not is turned round.
        let condition = build(&mut pool, family, recipe, &conditions);
        let condition = if valuation.holds(&pool, condition) { condition } else { pool.not(condition) };
        conditions.push(condition);
    }
    let goal = build(&mut pool, family, &goal, &conditions);
    let mut verdicts = Vec::new();
    let slice = RungSet::none().with(Rung::Slice);
    let mut sets =
        vec![(RungSet::all(), BackendKind::Bitwuzla), (RungSet::all().without(Rung::Slice), BackendKind::Z3)];
    sets.extend(BackendKind::ALL.map(|backend| (slice.with(Rung::Smt), backend)));
    sets.extend(Rung::ALL.map(|rung| (slice.with(rung), BackendKind::Bitwuzla)));
    for (rungs, backend) in sets {
        let options = Options { backend, rungs, timeout: Duration::from_secs(60), ..Options::default() };
        let mut solver = Solver::new(options).unwrap();
        let path = Path::of(&mut pool, &conditions);
        match solver.solve(&mut pool, &path, goal, &current) {
            Answer::Sat(input) => {
                let mut valuation = Valuation::new(input);
                for &condition in conditions.iter().chain([&goal]) {
                    assert!(valuation.holds(&pool, condition), "{rungs:?}: {}", pool.display(condition));
                }
                verdicts.push((rungs, backend, true));
            }
            Answer::Unsat(core) => {
                // The core alone must be a contradiction.
                let mut plain =
                    Solver::new(Options { rungs: RungSet::none().with(Rung::Smt), ..Options::default() }).unwrap();
                let (&last, rest) = core.split_last().expect("a core is not empty");
                let rest = Path::of(&mut pool, rest);
                let answer = plain.solve(&mut pool, &rest, last, &current);
                assert!(matches!(answer, Answer::Unsat(_)), "{rungs:?}: {core:?} is no contradiction");
                verdicts.push((rungs, backend, false));
            }
            Answer::Unknown(reason) => {
                assert_eq!(reason, UnknownReason::Undecided, "{rungs:?}");
                assert!(!rungs.has(Rung::Smt), "{rungs:?} must decide everything");
            }
        }
    }
    assert!(verdicts.iter().all(|&(_, _, sat)| sat == verdicts[0].2), "{verdicts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_agree_on_bytes(question in question(Family::Bytes)) {
        agree(Family::Bytes, question, RuleSet::all());
    }

    #[test]
    fn all_agree_on_one_word(question in question(Family::OneWord)) {
        agree(Family::OneWord, question, RuleSet::all());
    }

    #[test]
    fn all_agree_on_order(question in question(Family::Order)) {
        agree(Family::Order, question, RuleSet::all());
    }

    #[test]
    fn all_agree_on_mixtures(question in question(Family::Mixed)) {
        agree(Family::Mixed, question, RuleSet::all());
    }

    #[test]
    fn all_agree_without_rules(question in question(Family::Mixed)) {
        agree(Family::Mixed, question, RuleSet::none());
    }
}
