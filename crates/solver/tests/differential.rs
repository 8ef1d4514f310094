//! Random questions, answered by the whole ladder, by each rung alone and by both backends: all must agree.

use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use secateur_expr::{BinaryOp, Expr, Pool, RuleSet, Valuation};
use secateur_path::Path;
use secateur_solver::{Answer, BackendKind, Options, Rung, RungSet, Solver, Tuning, UnknownReason};
use secateur_tuning::Tuning as _;

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
    constant: Option<u16>,
}

const COMPARISONS: [BinaryOp; 5] = [BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle];

/// Families of questions, so that every rung is exercised.
#[derive(Clone, Copy, Debug)]
enum Family {
    Bytes,
    OneWord,
    Order,
    Mixed,
}

fn term(family: Family) -> BoxedStrategy<Term> {
    let (words, steps, constant) = match family {
        Family::Bytes => (0..3u32, 0..2usize, 0.6),
        Family::OneWord => (0..1, 0..3, 0.5),
        Family::Order => (0..5, 0..1, 0.15),
        Family::Mixed => (0..3, 0..4, 0.3),
    };
    let constant = proptest::option::weighted(constant, prop_oneof![any::<u16>(), 0..12u16, 0xfff0..=0xffffu16]);
    (words, proptest::collection::vec((0..12usize, any::<u8>()), steps), constant)
        .prop_map(|(word, steps, constant)| Term { word, steps, constant })
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
    if let Some(constant) = term.constant {
        return pool.constant(16, constant.into());
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
    let (conditions, goal) = build_question(&mut pool, family, &path, &goal, &current);
    all_agree(&mut pool, &conditions, goal, &current);
}

/// The conditions of a path, which hold on the current input, and the goal.
fn build_question(
    pool: &mut Pool,
    family: Family,
    path: &[Recipe],
    goal: &Recipe,
    current: &[u8],
) -> (Vec<Expr>, Expr) {
    let mut valuation = Valuation::new(current.to_vec());
    let mut conditions: Vec<Expr> = Vec::new();
    for recipe in path {
        let condition = build(pool, family, recipe, &conditions);
        conditions.push(holding(pool, condition, &mut valuation));
    }
    let goal = build(pool, family, goal, &conditions);
    (conditions, goal)
}

/// The condition or its negation, whichever holds on the current input, since the path must.
fn holding(pool: &mut Pool, condition: Expr, valuation: &mut Valuation) -> Expr {
    if valuation.holds(pool, condition) { condition } else { pool.not(condition) }
}

/// Asks the whole ladder, each rung alone and both backends.
fn all_agree(pool: &mut Pool, conditions: &[Expr], goal: Expr, current: &[u8]) {
    let mut verdicts = Vec::new();
    let slice = RungSet::none().with(Rung::Slice);
    let mut sets =
        vec![(RungSet::all(), BackendKind::Bitwuzla), (RungSet::all().without(Rung::Slice), BackendKind::Z3)];
    sets.extend(BackendKind::ALL.map(|backend| (slice.with(Rung::Smt), backend)));
    sets.extend(Rung::ALL.map(|rung| (slice.with(rung), BackendKind::Bitwuzla)));
    for (rungs, backend) in sets {
        let options = Options { backend, rungs, timeout: Duration::from_secs(60), ..Options::default() };
        let mut solver = Solver::new(options).unwrap();
        let path = Path::of(pool, conditions);
        let answer = solver.solve(pool, &path, goal, current);
        assert_eq!(solver.statistics().wrong_models, 0, "{rungs:?}");
        match answer {
            Answer::Sat(input) => {
                let mut valuation = Valuation::new(input);
                for &condition in conditions.iter().chain([&goal]) {
                    assert!(valuation.holds(pool, condition), "{rungs:?}: {}", pool.display(condition));
                }
                verdicts.push((rungs, backend, true));
            }
            Answer::Unsat(core) => {
                // The core alone must be a contradiction.
                let mut plain =
                    Solver::new(Options { rungs: RungSet::none().with(Rung::Smt), ..Options::default() }).unwrap();
                let (&last, rest) = core.split_last().expect("a core is not empty");
                let rest = Path::of(pool, rest);
                let answer = plain.solve(pool, &rest, last, current);
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

/// A recipe for a condition on sums of functions of bytes.
#[derive(Clone, Debug)]
struct SumRecipe {
    left: SumTerm,
    right: SumTerm,
    op: usize,
    negate: bool,
    /// A constant is added to the right side that makes both sides equal on the current input, plus this.
    balance: Option<u8>,
}

#[derive(Clone, Debug)]
struct SumTerm {
    /// Bytes, how they are extended, and what they are multiplied by.
    terms: Vec<(u32, usize, i16)>,
    constant: i16,
    /// An operation on the sum: a division, a mask …
    last: Option<(usize, u8)>,
}

/// Conditions on sums of a width over a few bytes, and bounds of these bytes.
#[derive(Clone, Debug)]
struct SumQuestion {
    width: u8,
    bounds: Vec<(u8, u8)>,
    path: Vec<SumRecipe>,
    goal: SumRecipe,
    current: Vec<u8>,
}

const SUM_BYTES: u32 = 5;

fn sum_term(most: usize) -> impl Strategy<Value = SumTerm> {
    let factor = prop_oneof![4 => Just(1i16), 2 => -3..=10i16, 1 => any::<i16>()];
    let constant = prop_oneof![3 => -20..200i16, 1 => Just(-48i16), 1 => any::<i16>()];
    let terms = proptest::collection::vec((0..SUM_BYTES, 0..5usize, factor), 0..=most);
    (terms, constant, proptest::option::weighted(0.3, (0..8usize, 1..=20u8)))
        .prop_map(|(terms, constant, last)| SumTerm { terms, constant, last })
}

fn sum_recipe() -> impl Strategy<Value = SumRecipe> {
    let balance = proptest::option::weighted(0.7, prop_oneof![3 => Just(0), 1 => 0..4u8]);
    (sum_term(4), sum_term(2), prop_oneof![Just(0), 0..COMPARISONS.len()], any::<bool>(), balance)
        .prop_map(|(left, right, op, negate, balance)| SumRecipe { left, right, op, negate, balance })
}

fn sum_question() -> impl Strategy<Value = SumQuestion> {
    let width = prop_oneof![Just(8u8), Just(16), Just(32), Just(64)];
    let bound =
        prop_oneof![Just((b'0', b'9')), (any::<u8>(), 0..20u8).prop_map(|(a, more)| (a, a.saturating_add(more)))];
    let bounds = proptest::collection::vec(bound, SUM_BYTES as usize);
    let path = proptest::collection::vec(sum_recipe(), 0..5);
    (width, bounds, path, sum_recipe(), proptest::collection::vec(any::<u8>(), SUM_BYTES as usize)).prop_map(
        |(width, bounds, path, goal, mut current)| {
            current.iter_mut().zip(&bounds).for_each(|(byte, &(low, high))| *byte = (*byte).clamp(low, high));
            SumQuestion { width, bounds, path, goal, current }
        },
    )
}

fn build_sum(pool: &mut Pool, width: u8, sum: &SumTerm) -> Expr {
    let mut total = pool.constant(width, sum.constant as u128);
    for &(byte, kind, factor) in &sum.terms {
        let byte = pool.input(byte, 1);
        let widened = |pool: &mut Pool, e: Expr| if width == 8 { e } else { pool.zext(e, width) };
        let term = match kind {
            0 if width > 8 => pool.sext(byte, width),
            1 => {
                // The digit sum of a doubled digit, as in the Luhn algorithm.
                let e = widened(pool, byte);
                let (twice, nine) = (pool.add(e, e), pool.constant(width, 9));
                let (large, less) = (pool.ult(nine, twice), pool.sub(twice, nine));
                pool.ite(large, less, twice)
            }
            2 => {
                let (low, zero) = (pool.constant(8, 0x30), pool.constant(width, 0x30));
                let (is_digit, e) = (pool.ule(low, byte), widened(pool, byte));
                let digit = pool.sub(e, zero);
                pool.ite(is_digit, digit, e)
            }
            _ => widened(pool, byte),
        };
        let factor = pool.constant(width, factor as u128);
        let product = pool.mul(term, factor);
        total = pool.add(total, product);
    }
    let Some((step, k)) = sum.last else { return total };
    let by = pool.constant(width, k.into());
    match step {
        0 => pool.urem(total, by),
        1 => pool.srem(total, by),
        2 => pool.udiv(total, by),
        3 => pool.sub(by, total),
        4 => {
            let mask = pool.constant(width, 15);
            pool.and(total, mask)
        }
        5 => {
            let shift = pool.constant(width, (k % 8).into());
            if k % 2 == 0 { pool.lshr(total, shift) } else { pool.ashr(total, shift) }
        }
        6 => {
            let (low, zero) = (pool.extract(total, 0, 7), pool.constant(width - 7, 0));
            pool.concat(zero, low)
        }
        _ => {
            let bits = width.min(10) - k % 5;
            let middle = pool.extract(total, width.min(10) - bits, bits);
            if k < 8 { pool.sext(middle, width) } else { pool.zext(middle, width) }
        }
    }
}

fn build_sums(question: &SumQuestion) -> (Pool, Vec<Expr>, Expr) {
    let mut pool = Pool::new();
    let mut valuation = Valuation::new(question.current.clone());
    let mut conditions = Vec::new();
    for (byte, &(low, high)) in (0..).zip(&question.bounds) {
        let byte = pool.input(byte, 1);
        let (low, high) = (pool.constant(8, low.into()), pool.constant(8, high.into()));
        conditions.extend([pool.ule(low, byte), pool.ule(byte, high)]);
    }
    let build = |pool: &mut Pool, valuation: &mut Valuation, recipe: &SumRecipe| {
        let left = build_sum(pool, question.width, &recipe.left);
        let mut right = build_sum(pool, question.width, &recipe.right);
        if let Some(more) = recipe.balance {
            let missing = valuation.eval(pool, left).wrapping_sub(valuation.eval(pool, right));
            let missing = pool.constant(question.width, missing.wrapping_add(more.into()).into());
            right = pool.add(right, missing);
        }
        let condition = pool.binary(COMPARISONS[recipe.op], left, right);
        if recipe.negate { pool.not(condition) } else { condition }
    };
    for recipe in &question.path {
        let condition = build(&mut pool, &mut valuation, recipe);
        conditions.push(holding(&mut pool, condition, &mut valuation));
    }
    let goal = build(&mut pool, &mut valuation, &question.goal);
    (pool, conditions, goal)
}

/// The rung `sums` decides most random questions about sums by itself.
#[test]
fn sums_are_decided_without_a_backend() {
    let mut runner = TestRunner::deterministic();
    let (mut yes, mut no, mut left) = (0, 0, 0);
    for _ in 0..400 {
        let question = sum_question().new_tree(&mut runner).unwrap().current();
        let (mut pool, conditions, goal) = build_sums(&question);
        let rungs = RungSet::none().with(Rung::Slice).with(Rung::Sums);
        let mut solver = Solver::new(Options { rungs, ..Options::default() }).unwrap();
        let path = Path::of(&mut pool, &conditions);
        match solver.solve(&mut pool, &path, goal, &question.current) {
            Answer::Sat(_) => yes += 1,
            Answer::Unsat(_) => no += 1,
            Answer::Unknown(_) => left += 1,
        }
    }
    assert!(yes > 100 && no > 50 && left < 150, "{yes} yes, {no} no, {left} left open");
}

/// The defaults with the number of that name, or all numbers, set to the least that its range allows.
fn least_tuning(name: Option<&str>) -> Tuning {
    let mut tuning = Tuning::default();
    for entry in tuning.entries().into_iter().filter(|entry| name.is_none_or(|name| name == entry.name)) {
        let set = ["0", "1", "0ms"].iter().any(|value| tuning.set(&entry.name, value).is_ok());
        assert!(set, "{} takes neither 0 nor 1", entry.name);
    }
    tuning
}

/// Numbers that bound effort may cost answers, but not make them wrong.
#[test]
fn the_least_effort_gives_no_wrong_answer() {
    let names: Vec<String> = Tuning::default().entries().into_iter().map(|entry| entry.name).collect();
    let mut tunings = vec![("all", least_tuning(None))];
    tunings.extend(names.iter().map(|name| (name.as_str(), least_tuning(Some(name)))));
    let mut runner = TestRunner::deterministic();
    for _ in 0..20 {
        let mut questions = Vec::new();
        for family in [Family::Bytes, Family::OneWord, Family::Order, Family::Mixed] {
            let (path, goal, current) = question(family).new_tree(&mut runner).unwrap().current();
            let mut pool = Pool::new();
            let (conditions, goal) = build_question(&mut pool, family, &path, &goal, &current);
            questions.push((pool, conditions, goal, current));
        }
        let sums = sum_question().new_tree(&mut runner).unwrap().current();
        let (pool, conditions, goal) = build_sums(&sums);
        questions.push((pool, conditions, goal, sums.current));
        for (mut pool, conditions, goal, current) in questions {
            let path = Path::of(&mut pool, &conditions);
            let mut reference = Solver::new(Options::default()).unwrap();
            let expected = matches!(reference.solve(&mut pool, &path, goal, &current), Answer::Sat(_));
            for (name, tuning) in &tunings {
                for rungs in [RungSet::all(), RungSet::all().without(Rung::Smt)] {
                    let mut solver =
                        Solver::new(Options { rungs, tuning: tuning.clone(), ..Options::default() }).unwrap();
                    let answer = solver.solve(&mut pool, &path, goal, &current);
                    assert_eq!(solver.statistics().wrong_models, 0, "{name}");
                    match answer {
                        Answer::Sat(input) => {
                            assert!(expected, "{name}");
                            let mut valuation = Valuation::new(input);
                            let mut all = conditions.iter().chain([&goal]);
                            assert!(all.all(|&condition| valuation.holds(&pool, condition)), "{name}");
                        }
                        Answer::Unsat(_) => assert!(!expected, "{name}"),
                        Answer::Unknown(reason) => assert_eq!(reason, UnknownReason::Undecided, "{name}"),
                    }
                }
            }
        }
    }
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
    fn all_agree_on_sums(question in sum_question()) {
        let (mut pool, conditions, goal) = build_sums(&question);
        all_agree(&mut pool, &conditions, goal, &question.current);
    }

    #[test]
    fn all_agree_without_rules(question in question(Family::Mixed)) {
        agree(Family::Mixed, question, RuleSet::none());
    }
}
