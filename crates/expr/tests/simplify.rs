//! Random expressions: simplification preserves values, bounds hold, and building is deterministic.

use proptest::prelude::*;
use secateur_expr::{
    Array, BinaryOp, Expr, FloatCast, FloatCmp, FloatOp, FloatUnOp, NativeFn, Pool, RuleSet, Tape, UnaryOp, Valuation,
    Width, smtlib,
};

const INPUT_BYTES: u32 = 12;

/// One step of building: an operation, and which of the expressions so far are its operands.
#[derive(Clone, Debug)]
struct Step {
    kind: u8,
    a: u16,
    b: u16,
    c: u16,
    constant: u128,
}

fn step() -> impl Strategy<Value = Step> {
    let constant = prop_oneof![
        (0u128..4).boxed(),
        any::<u128>().boxed(),
        (0u32..128).prop_map(|shift| 1u128 << shift).boxed(),
        (0u32..128).prop_map(|shift| u128::MAX >> shift).boxed(),
        prop::sample::select(vec![
            1.0f64.to_bits().into(),
            f64::NAN.to_bits().into(),
            f64::INFINITY.to_bits().into(),
            (-0.0f64).to_bits().into(),
            9.3e18f64.to_bits().into(),
            1.5f32.to_bits().into(),
            3e9f32.to_bits().into(),
            f32::NAN.to_bits().into(),
        ])
        .boxed(),
    ];
    (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>(), constant).prop_map(|(kind, a, b, c, constant)| Step {
        kind,
        a,
        b,
        c,
        constant,
    })
}

/// Builds all steps; with any rules, the results are equivalent.
fn build(pool: &mut Pool, steps: &[Step]) -> Vec<Expr> {
    let mut built: Vec<Expr> = (0..INPUT_BYTES).map(|byte| pool.input(byte, 1)).collect();
    let mut arrays: Vec<Array> = Vec::new();
    for step in steps {
        let e = build_step(pool, step, &built, &mut arrays);
        built.push(e);
    }
    built
}

fn build_step(pool: &mut Pool, step: &Step, built: &[Expr], arrays: &mut Vec<Array>) -> Expr {
    // Later expressions are more likely, so that trees get deep.
    let pick = |n: u16| built[built.len() - 1 - usize::from(n) % built.len().min(1 + usize::from(n % 7) * 4)];
    let (a, b, c) = (pick(step.a), pick(step.b), pick(step.c));
    let width = pool.width(a);
    let constant_width = (step.constant % 128) as Width + 1;
    match step.kind % 48 {
        0 => pool.constant(width, step.constant),
        1 => pool.input(step.a as u32 % INPUT_BYTES, step.b as u8 % 16 + 1),
        2 => pool.unary(UnaryOp::Not, a),
        3 => pool.unary(UnaryOp::Neg, a),
        kind @ 4..22 => {
            let b = resize(pool, b, width);
            pool.binary(BinaryOp::ALL[usize::from(kind - 4)], a, b)
        }
        kind @ 22..30 => {
            let constant = pool.constant(width, step.constant);
            let op = BinaryOp::ALL[(usize::from(kind - 22) * 256 + usize::from(step.b)) % BinaryOp::ALL.len()];
            if step.c.is_multiple_of(4) { pool.binary(op, constant, a) } else { pool.binary(op, a, constant) }
        }
        30 | 31 => {
            let c = resize(pool, c, 1);
            let b = resize(pool, b, width);
            pool.ite(c, a, b)
        }
        32 => {
            let c = resize(pool, c, 1);
            let (x, y) = (pool.constant(width, step.constant), pool.constant(width, step.constant >> 7));
            pool.ite(c, x, y)
        }
        33 | 34 => {
            let (a, b) = (limit(pool, a, 64), limit(pool, b, 64));
            pool.concat(a, b)
        }
        35 | 36 => {
            let low = (step.constant % u128::from(width)) as u8;
            let extracted = 1 + step.b as u8 % (width - low);
            pool.extract(a, low, extracted)
        }
        37 => pool.zext(a, width.max(constant_width)),
        38 => pool.sext(a, width.max(constant_width)),
        39 => {
            let width = float_width(step);
            let (a, b) = (resize(pool, a, width), resize(pool, b, width));
            use FloatOp::*;
            pool.float([Add, Sub, Mul, Div, Rem, Min, Max, CopySign][usize::from(step.c % 8)], a, b)
        }
        40 => {
            let a = resize(pool, a, float_width(step));
            use FloatUnOp::*;
            pool.float_un([Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, RoundEven][usize::from(step.c % 8)], a)
        }
        41 => {
            let width = float_width(step);
            let (a, b) = (resize(pool, a, width), resize(pool, b, width));
            let bit = |n: u16| step.c >> n & 1 != 0;
            let cmp = FloatCmp { less: bit(0), equal: bit(1), greater: bit(2), unordered: bit(3) };
            let widen = step.c >> 4 & 1 != 0 && width == 32;
            if widen {
                let (a, b) = (pool.float_cast(FloatCast::Float, a, 64), pool.float_cast(FloatCast::Float, b, 64));
                pool.float_cmp(cmp, a, b)
            } else {
                pool.float_cmp(cmp, a, b)
            }
        }
        42 => {
            let float = float_width(step);
            match step.c % 5 {
                0 => {
                    let a = resize(pool, a, float);
                    pool.float_cast(FloatCast::Float, a, 96 - float)
                }
                1 => {
                    let a = limit(pool, a, 64);
                    pool.float_cast(FloatCast::FromSigned, a, float)
                }
                2 => {
                    let a = limit(pool, a, 64);
                    pool.float_cast(FloatCast::FromUnsigned, a, float)
                }
                3 => {
                    let a = resize(pool, a, float);
                    pool.float_cast(FloatCast::ToSigned, a, constant_width.min(64))
                }
                _ => {
                    let a = resize(pool, a, float);
                    pool.float_cast(FloatCast::ToUnsigned, a, constant_width.min(64))
                }
            }
        }
        43 => {
            let width = float_width(step);
            let (a, b, c) = (resize(pool, a, width), resize(pool, b, width), resize(pool, c, width));
            pool.fused_mul_add(a, b, c)
        }
        44 => {
            let a = resize(pool, a, float_width(step));
            pool.native(NativeFn::Exp2, &[a])
        }
        45 => {
            let width = width.clamp(8, 64);
            let elements: Vec<Expr> = [a, b, c].into_iter().map(|e| resize(pool, e, width)).collect();
            let array = pool.table(&elements);
            arrays.push(array);
            let index = small_index(pool, b, step);
            pool.select(array, index)
        }
        46 => match arrays.last().copied() {
            Some(array) => {
                let width = pool.array_element_width(array);
                let (index, value) = (small_index(pool, a, step), resize(pool, b, width));
                let stored = pool.store(array, index, value);
                arrays.push(stored);
                let index = resize(pool, c, 2);
                let index = resize(pool, index, 64);
                pool.select(stored, index)
            }
            None => a,
        },
        _ => {
            let a = limit(pool, a, 64);
            match step.c % 4 {
                0 => pool.count_ones(a),
                1 => pool.leading_zeros(a),
                2 => pool.trailing_zeros(a),
                _ => pool.reverse_bits(a),
            }
        }
    }
}

fn float_width(step: &Step) -> Width {
    if step.constant.is_multiple_of(2) { 32 } else { 64 }
}

/// An index that is often in range, and sometimes a constant.
fn small_index(pool: &mut Pool, e: Expr, step: &Step) -> Expr {
    if step.c.is_multiple_of(3) {
        return pool.constant(64, u128::from(step.c % 4));
    }
    let bits = resize(pool, e, 2);
    resize(pool, bits, 64)
}

fn resize(pool: &mut Pool, e: Expr, width: Width) -> Expr {
    if pool.width(e) < width { pool.zext(e, width) } else { pool.extract(e, 0, width) }
}

fn limit(pool: &mut Pool, e: Expr, width: Width) -> Expr {
    let width = width.min(pool.width(e));
    resize(pool, e, width)
}

fn input() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![Just(0u8), Just(0xff), 0u8..4, any::<u8>()];
    prop::collection::vec(byte, 0..=28)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplification_preserves_values(
        steps in prop::collection::vec(step(), 1..60),
        inputs in prop::collection::vec(input(), 1..6),
    ) {
        let mut plain = Pool::with_rules(RuleSet::none());
        let mut simple = Pool::new();
        let originals = build(&mut plain, &steps);
        let simplified = build(&mut simple, &steps);
        for input in inputs {
            let (mut left, mut right) = (Valuation::new(input.clone()), Valuation::new(input));
            for (i, (&original, &simplified)) in originals.iter().zip(&simplified).enumerate() {
                prop_assert_eq!(plain.width(original), simple.width(simplified));
                let expected = left.eval_wide(&plain, original);
                let got = right.eval_wide(&simple, simplified);
                prop_assert_eq!(
                    got, expected, "expression {}: {} became {}", i, plain.display(original), simple.display(simplified)
                );
                for (pool, e) in [(&mut plain, original), (&mut simple, simplified)] {
                    let (low, high) = pool.unsigned_range(e);
                    prop_assert!(low <= expected && expected <= high, "{} is {:#x}", pool.display(e), expected);
                }
            }
        }
    }

    #[test]
    fn building_is_deterministic(steps in prop::collection::vec(step(), 1..60)) {
        let (mut first, mut second) = (Pool::new(), Pool::new());
        prop_assert_eq!(build(&mut first, &steps), build(&mut second, &steps));
        prop_assert_eq!(first.len(), second.len());
    }

    #[test]
    fn building_again_adds_nothing(steps in prop::collection::vec(step(), 1..60)) {
        let mut pool = Pool::new();
        let first = build(&mut pool, &steps);
        let count = pool.len();
        prop_assert_eq!(build(&mut pool, &steps), first);
        prop_assert_eq!(pool.len(), count);
    }

    #[test]
    fn an_import_evaluates_to_the_same(steps in prop::collection::vec(step(), 1..40), input in input()) {
        let mut plain = Pool::with_rules(RuleSet::none());
        let originals = build(&mut plain, &steps);
        let mut simple = Pool::new();
        let imported = simple.import(&plain, &originals);
        let (mut left, mut right) = (Valuation::new(input.clone()), Valuation::new(input));
        for (&original, &imported) in originals.iter().zip(&imported) {
            prop_assert_eq!(left.eval_wide(&plain, original), right.eval_wide(&simple, imported));
        }
    }

    #[test]
    fn a_tape_computes_what_evaluation_does(
        steps in prop::collection::vec(step(), 1..40),
        inputs in prop::collection::vec(input(), 1..4),
    ) {
        let mut pool = Pool::new();
        let built = build(&mut pool, &steps);
        let mut tape = Tape::new(&pool, &built);
        for input in inputs {
            tape.run(&input);
            let mut valuation = Valuation::new(input);
            for &e in &built {
                let register = tape.register(e).expect("it is computed");
                prop_assert_eq!(tape.value(register), valuation.eval_wide(&pool, e), "{}", pool.display(e));
            }
        }
    }

    #[test]
    fn truth_tables_agree_with_evaluation(steps in prop::collection::vec(step(), 1..40)) {
        for rules in [RuleSet::none(), RuleSet::all()] {
            let mut pool = Pool::with_rules(rules);
            let built = build(&mut pool, &steps);
            let mut found = 0;
            for e in built {
                let Some(table) = pool.truth_table(e) else { continue };
                let byte = pool.support_bytes(pool.support(e))[0];
                let mut valuation = Valuation::new(Vec::new());
                for value in 0..=255u8 {
                    valuation.set_byte(byte, value);
                    let bit = table.contains(value);
                    prop_assert_eq!(bit, valuation.holds(&pool, e), "{} at {}", pool.display(e), value);
                }
                found += 1;
                if found == 4 {
                    break;
                }
            }
        }
    }

    #[test]
    fn scripts_name_everything_once(steps in prop::collection::vec(step(), 1..40)) {
        let mut pool = Pool::new();
        let built = build(&mut pool, &steps);
        let conditions: Vec<Expr> = built.into_iter().filter(|&e| pool.width(e) == 1).collect();
        let script = smtlib::script(&pool, &conditions);
        let mut names = std::collections::HashSet::new();
        for line in script.lines() {
            if let Some(rest) = line.strip_prefix("(declare-const ").or_else(|| line.strip_prefix("(define-fun ")) {
                let name = rest.split(' ').next().unwrap_or("");
                prop_assert!(names.insert(name.to_string()), "{} twice in\n{}", name, script);
            }
            let open = line.matches('(').count();
            prop_assert_eq!(open, line.matches(')').count(), "{}", line);
        }
    }
}
