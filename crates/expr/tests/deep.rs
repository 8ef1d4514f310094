//! Nothing overflows the stack, however deep an expression is, and nothing takes more than linear time.

use secateur_expr::{Expr, Pool, RuleSet, Valuation, smtlib};

const DEPTH: u32 = 1_000_000;

/// A chain of operations that no rule simplifies.
fn chain(pool: &mut Pool) -> Expr {
    let mut e = pool.hole(0, 32);
    for i in 0..DEPTH / 2 {
        let word = pool.input(i % 64, 4);
        let product = pool.mul(e, word);
        e = if i % 2 == 0 { pool.add(product, word) } else { pool.xor(e, product) };
    }
    e
}

#[test]
fn a_deep_chain_is_handled_by_everything() {
    for rules in [RuleSet::all(), RuleSet::none()] {
        let mut pool = Pool::with_rules(rules);
        let e = chain(&mut pool);
        assert_eq!(pool.support_bytes(pool.support(e)).len(), 67);
        let mut valuation = Valuation::new((0..67).collect());
        let value = valuation.eval(&pool, e);

        let zero = pool.constant(32, 0);
        let filled = pool.substitute(e, &mut |_, _| Some(zero));
        assert_eq!(valuation.eval(&pool, filled), value, "holes evaluate to 0");

        let byte = pool.extract(filled, 0, 8);
        assert_eq!(valuation.eval(&pool, byte), value & 0xff);
        let condition = pool.ult(filled, zero);
        assert!(!valuation.holds(&pool, condition));
        let nonzero = pool.ne(filled, zero);
        assert!(smtlib::script(&pool, &[nonzero]).ends_with("(check-sat)\n(get-model)\n"));
        assert!(pool.display(filled).to_string().len() < 100_000);

        let mut other = Pool::with_rules(rules);
        let imported = other.import(&pool, &[filled]);
        assert_eq!(valuation.eval(&other, imported[0]), value);
    }
}

#[test]
fn deep_if_then_elses_are_handled() {
    let mut pool = Pool::new();
    let mut e = pool.constant(32, 1);
    for i in 0..DEPTH / 10 {
        let byte = pool.input(i % 16, 1);
        let limit = pool.constant(8, (i % 256).into());
        let c = pool.ult(limit, byte);
        let arm = pool.constant(32, (i % 1000).into());
        e = pool.ite(c, arm, e);
        let shifted = pool.constant(32, 3);
        e = pool.mul(e, shifted);
    }
    let seven = pool.constant(32, 7);
    let found = pool.eq(e, seven);
    let low = pool.extract(e, 0, 1);
    let mut valuation = Valuation::new(vec![128; 16]);
    assert_eq!(valuation.holds(&pool, found), valuation.eval(&pool, e) == 7);
    assert_eq!(valuation.eval(&pool, low), valuation.eval(&pool, e) & 1);
}

#[test]
fn long_chains_of_stores_are_handled() {
    let mut pool = Pool::new();
    let zero = pool.constant(8, 0);
    let mut array = pool.table(&vec![zero; 1000]);
    for i in 0..20_000u32 {
        let word = pool.input(i % 100, 2);
        let index = pool.zext(word, 64);
        let value = pool.input(i % 250, 1);
        array = pool.store(array, index, value);
    }
    let at = pool.input(0, 8);
    let element = pool.select(array, at);
    let mut valuation = Valuation::new(vec![1, 0, 0, 0, 0, 0, 0, 0]);
    let expected = valuation.eval(&pool, element);
    assert_eq!(expected, 0, "the last store at 1 wrote a zero byte");
    let condition = pool.ne(element, zero);
    let script = smtlib::script(&pool, &[condition]);
    assert!(script.starts_with("(set-logic QF_ABV)"));
    let mut other = Pool::new();
    let imported = other.import(&pool, &[condition]);
    assert!(!valuation.holds(&other, imported[0]));
}

#[test]
fn sums_over_a_long_input_have_small_supports() {
    let mut pool = Pool::new();
    let mut sum = pool.constant(32, 0);
    for i in 0..100_000 {
        let byte = pool.input(i, 1);
        let byte = pool.zext(byte, 32);
        sum = pool.add(sum, byte);
    }
    assert_eq!(pool.support_bytes(pool.support(sum)).len(), 100_000);
    assert!(pool.memory() < 200 << 20, "{} bytes", pool.memory());
}

/// A table would take 256 evaluations of each, and a path may have thousands of them.
#[test]
fn huge_conditions_on_one_byte_have_no_table() {
    let mut pool = Pool::new();
    let byte = pool.input(0, 1);
    let (byte, factor) = (pool.zext(byte, 32), pool.constant(32, 16_777_619));
    let mut hash = byte;
    let mut tables = Vec::new();
    for round in 0..20_000 {
        let mixed = pool.xor(hash, byte);
        hash = pool.mul(mixed, factor);
        if round % 1000 == 999 {
            let limit = pool.constant(32, 1 << 30);
            let condition = pool.ult(hash, limit);
            tables.push(pool.truth_table(condition).is_some());
        }
    }
    assert!(tables[0] && !tables[tables.len() - 1], "{tables:?}");
}
