//! One suite for all backends: each test runs with Bitwuzla and with Z3.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_expr::{
    BinaryOp, Expr, FloatCast, FloatCmp, FloatOp, FloatUnOp, NativeFn, Pool, Rounding, RuleSet, UnaryOp, Valuation,
};
use secateur_solver::{Backend, BackendAnswer, BackendKind, BackendReason, Deadline, Options, backend};

fn deadline() -> Deadline {
    Deadline::lasting(Duration::from_secs(20))
}

/// Defines each test once per backend.
macro_rules! for_each_backend {
    ($($name:ident)*) => {
        mod bitwuzla { $(#[test] fn $name() { super::$name(super::start(super::BackendKind::Bitwuzla)); })* }
        mod z3 { $(#[test] fn $name() { super::$name(super::start(super::BackendKind::Z3)); })* }
    };
}

for_each_backend! {
    word_operations_agree_with_evaluation
    wide_words
    casts_between_words
    choices_and_conditions
    arrays
    long_arrays
    float_arithmetic_agrees_with_evaluation
    every_rounding_mode_agrees_with_evaluation
    float_conversions_agree_with_evaluation
    float_comparisons_agree_with_evaluation
    remainders_are_bounded
    native_functions_are_free
    cores_are_small
    models_satisfy
    stops_in_time
    stops_when_interrupted
    deep_expressions
    many_questions
}

fn start(kind: BackendKind) -> Box<dyn Backend> {
    backend(kind, &Options { seed: 1, ..Options::default() }).unwrap()
}

/// Checks that `e` has the same value in the backend as in evaluation on `input`, and no other.
fn check_value(backend: &mut dyn Backend, pool: &mut Pool, e: Expr, input: &[u8]) {
    let mut valuation = Valuation::new(input.to_vec());
    let value = valuation.eval_wide(pool, e);
    let expected = pool.constant(pool.width(e), value);
    let mut conditions: Vec<Expr> = Vec::new();
    for &byte in pool.support_bytes(pool.support(e)).to_vec().iter() {
        let (variable, value) = (pool.input(byte, 1), pool.constant(8, valuation.byte(byte).into()));
        conditions.push(pool.eq(variable, value));
    }
    let same = pool.eq(e, expected);
    conditions.push(same);
    let text = || format!("{} on {input:?}", pool.display(e));
    assert!(matches!(backend.check(pool, &conditions, &deadline()).unwrap(), BackendAnswer::Sat(_)), "{}", text());
    let different = pool.ne(e, expected);
    *conditions.last_mut().unwrap() = different;
    let answer = backend.check(pool, &conditions, &deadline()).unwrap();
    assert!(matches!(answer, BackendAnswer::Unsat { .. }), "{} is not {value:#x}: {answer:?}", pool.display(e));
}

fn sat(backend: &mut dyn Backend, pool: &Pool, conditions: &[Expr]) -> Vec<u8> {
    match backend.check(pool, conditions, &deadline()).unwrap() {
        BackendAnswer::Sat(model) => {
            let mut valuation = Valuation::new(Vec::new());
            model.iter().for_each(|&(byte, value)| valuation.set_byte(byte, value));
            for &condition in conditions {
                assert!(valuation.holds(pool, condition), "{} on {model:?}", pool.display(condition));
            }
            valuation.input().to_vec()
        }
        other => panic!("{other:?}"),
    }
}

fn unsat(backend: &mut dyn Backend, pool: &Pool, conditions: &[Expr]) -> Vec<Expr> {
    match backend.check(pool, conditions, &deadline()).unwrap() {
        BackendAnswer::Unsat { core } => core,
        other => panic!("{other:?}"),
    }
}

/// A pool that does not simplify, so that the backend sees the expressions as they are built.
fn plain_pool() -> Pool {
    Pool::with_rules(RuleSet::none())
}

const WORDS: [u64; 7] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];

fn word_operations_agree_with_evaluation(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let (a, b) = (pool.input(0, 1), pool.input(1, 1));
    for (x, y) in WORDS.into_iter().flat_map(|x| WORDS.map(|y| (x as u8, y as u8))) {
        for op in BinaryOp::ALL {
            let e = pool.binary(op, a, b);
            check_value(&mut *backend, &mut pool, e, &[x, y]);
        }
    }
    for x in WORDS {
        for op in [UnaryOp::Not, UnaryOp::Neg] {
            let e = pool.unary(op, a);
            check_value(&mut *backend, &mut pool, e, &[x as u8]);
        }
    }
}

fn wide_words(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let (a, b) = (pool.input(0, 16), pool.input(16, 16));
    let input: Vec<u8> = (0..32u8).map(|i| i.wrapping_mul(37) ^ 0x80).collect();
    for op in BinaryOp::ALL {
        let e = pool.binary(op, a, b);
        check_value(&mut *backend, &mut pool, e, &input);
    }
    let large = pool.constant(128, u128::MAX - 5);
    let sum = pool.add(a, large);
    check_value(&mut *backend, &mut pool, sum, &input);
}

fn casts_between_words(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let word = pool.input(0, 4);
    for input in [[0x78, 0x56, 0x34, 0x92], [0xff, 0, 0x80, 0x7f]] {
        for (low, width) in [(0, 1), (7, 1), (3, 11), (0, 32), (31, 1)] {
            let part = pool.extract(word, low, width);
            let (zero, sign) = (pool.zext(part, 100), pool.sext(part, 100));
            let both = pool.concat(part, word);
            for e in [part, zero, sign, both] {
                check_value(&mut *backend, &mut pool, e, &input);
            }
        }
    }
}

fn choices_and_conditions(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let (a, b) = (pool.input(0, 1), pool.input(1, 1));
    let less = pool.ult(a, b);
    let bit = pool.extract(a, 0, 1);
    let zero = pool.constant(8, 0);
    let chosen = pool.ite(less, a, b);
    let chosen_bit = pool.ite(bit, less, bit);
    let same = pool.eq(less, bit);
    let sum = pool.add(less, bit);
    let below = pool.slt(less, bit);
    let both = pool.and(less, bit);
    let either = pool.or(less, bit);
    let one_of = pool.xor(less, bit);
    let not = pool.not(bit);
    let widened = pool.zext(less, 8);
    let back = pool.ne(widened, zero);
    for input in [[0, 1], [1, 0], [3, 200], [200, 3], [7, 7]] {
        for e in [chosen, chosen_bit, same, sum, below, both, either, one_of, not, widened, back] {
            check_value(&mut *backend, &mut pool, e, &input);
        }
    }
}

fn arrays(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let byte = pool.input(0, 1);
    let at = pool.zext(byte, 64);
    let stored = pool.input(1, 1);
    let stored = pool.zext(stored, 64);
    let value = pool.input(2, 2);
    let elements: Vec<Expr> = (0..11).map(|i| if i == 4 { value } else { pool.constant(16, i * i + 1) }).collect();
    let table = pool.table(&elements);
    let doubled = {
        let one = pool.constant(64, 1);
        pool.shl(at, one)
    };
    let masked = {
        let mask = pool.constant(64, 6);
        pool.and(at, mask)
    };
    let changed = pool.store(table, stored, value);
    let three = pool.constant(64, 3);
    let nine = pool.constant(16, 9);
    let again = pool.store(changed, three, nine);
    let mut reads = Vec::new();
    for array in [table, changed, again] {
        for index in [at, doubled, masked] {
            reads.push(pool.select(array, index));
        }
    }
    for input in [[0, 0, 1, 2], [3, 3, 9, 9], [4, 4, 1, 1], [10, 3, 5, 5], [11, 11, 7, 7], [255, 200, 7, 7]] {
        for &e in &reads {
            check_value(&mut *backend, &mut pool, e, &input);
        }
    }
}

fn long_arrays(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let word = pool.input(0, 2);
    let at = pool.zext(word, 64);
    let elements: Vec<Expr> =
        (0..5000u64).map(|i| pool.constant(32, (i.wrapping_mul(2_654_435_761) >> 7).into())).collect();
    let table = pool.table(&elements);
    let read = pool.select(table, at);
    let wanted = elements[4321];
    let found = pool.eq(read, wanted);
    let input = sat(&mut *backend, &pool, &[found]);
    assert_eq!(u16::from_le_bytes([input[0], input[1]]), 4321);
    let beyond = pool.constant(64, 5000);
    let beyond = pool.uge(at, beyond);
    unsat(&mut *backend, &pool, &[found, beyond]);
}

fn float_bits(width: u8) -> Vec<u64> {
    if width == 32 {
        [0.0f32, -0.0, 1.0, -1.5, 0.1, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY, f32::NEG_INFINITY]
            .into_iter()
            .map(|x| x.to_bits().into())
            .chain([0x7fc0_0001, 0xff80_0002])
            .collect()
    } else {
        [0.0f64, -0.0, 1.0, -1.5, 0.1, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY]
            .into_iter()
            .map(f64::to_bits)
            .chain([0x7ff8_0000_0000_0001, 0xfff0_0000_8000_0002])
            .collect()
    }
}

fn two_floats(width: u8, x: u64, y: u64) -> Vec<u8> {
    let bytes = usize::from(width / 8);
    [&x.to_le_bytes()[..bytes], &y.to_le_bytes()[..bytes]].concat()
}

fn float_arithmetic_agrees_with_evaluation(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let single = (pool.input(0, 4), pool.input(4, 4));
    let double = (pool.input(0, 8), pool.input(8, 8));
    for (width, (a, b)) in [(32, single), (64, double)] {
        let values = float_bits(width);
        let mut results = Vec::new();
        for op in
            [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Min, FloatOp::Max, FloatOp::CopySign]
        {
            results.push(pool.float(op, a, b));
        }
        let unary = [
            FloatUnOp::Neg,
            FloatUnOp::Abs,
            FloatUnOp::Sqrt,
            FloatUnOp::Floor,
            FloatUnOp::Ceil,
            FloatUnOp::Trunc,
            FloatUnOp::Round,
            FloatUnOp::RoundEven,
        ];
        let unary: Vec<Expr> = unary.into_iter().map(|op| pool.float_un(op, a)).collect();
        for (i, &x) in values.iter().enumerate() {
            // Every operation on every pair would take Z3 an hour, so each value is paired with one other, and with
            // half of the operations.
            for &e in unary.iter().skip(i % 2).step_by(2) {
                check_value(&mut *backend, &mut pool, e, &two_floats(width, x, 0));
            }
            let y = values[(i * 5 + 1) % values.len()];
            for &e in results.iter().skip(i % 2).step_by(2) {
                check_value(&mut *backend, &mut pool, e, &two_floats(width, x, y));
            }
        }
        if width == 32 {
            let fused = pool.fused_mul_add(a, b, a);
            for (x, y) in [(0.1f32, 10.0f32), (f32::MAX, 2.0), (1e-20, 1e-25), (f32::NAN, 1.0)] {
                check_value(&mut *backend, &mut pool, fused, &two_floats(32, x.to_bits().into(), y.to_bits().into()));
            }
        }
    }
}

fn every_rounding_mode_agrees_with_evaluation(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    for mode in Rounding::ALL {
        for (width, x, y) in [(32, 0.1f64, -3.7f64), (64, 0.1, -3.7), (32, 1e-38, 1e7), (64, 1e308, 1e-5)] {
            let bytes = width / 8;
            let (a, b) = (pool.input(0, bytes), pool.input(bytes.into(), bytes));
            let arithmetic = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
            let mut results = arithmetic.map(|op| pool.float_in(mode, op, a, b)).to_vec();
            results.push(pool.float_un_in(mode, FloatUnOp::Sqrt, a));
            results.push(pool.float_un_in(mode, FloatUnOp::Rint, b));
            if width == 32 {
                results.push(pool.fused_mul_add_in(mode, a, b, a));
                let integer = pool.input(0, 8);
                results.push(pool.float_cast_in(mode, FloatCast::FromSigned, integer, 32));
                results.push(pool.float_cast_in(mode, FloatCast::FromUnsigned, integer, 64));
            } else {
                results.push(pool.float_cast_in(mode, FloatCast::Float, a, 32));
            }
            let bits = |value: f64| if width == 32 { (value as f32).to_bits().into() } else { value.to_bits() };
            for e in results {
                check_value(&mut *backend, &mut pool, e, &two_floats(width, bits(x), bits(y)));
            }
        }
    }
}

fn float_conversions_agree_with_evaluation(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    for (bytes, width) in [(4, 32), (8, 64)] {
        let a = pool.input(0, bytes);
        let mut values = float_bits(width);
        for x in [2147483647.5, -2147483648.5, -2147483649.0, 4294967296.0, 9.3e18, -9.3e18, 1.8e19, -0.9, 255.5f64] {
            values.push(if width == 32 { (x as f32).to_bits().into() } else { x.to_bits() });
        }
        let mut results = vec![pool.float_cast(FloatCast::Float, a, 96 - width)];
        for to in [8, 32, 64] {
            results.push(pool.float_cast(FloatCast::ToSigned, a, to));
            results.push(pool.float_cast(FloatCast::ToUnsigned, a, to));
        }
        for (i, x) in values.into_iter().enumerate() {
            for &e in results.iter().skip(i % 3).step_by(3) {
                check_value(&mut *backend, &mut pool, e, &two_floats(width, x, 0));
            }
        }
    }
    for (bytes, to) in [(2, 32), (4, 32), (4, 64), (8, 32), (8, 64)] {
        let a = pool.input(0, bytes);
        for cast in [FloatCast::FromSigned, FloatCast::FromUnsigned] {
            let e = pool.float_cast(cast, a, to);
            for x in [0, 1, u64::MAX, 0x8000_0000_8000_8000, 0x7fff_ffff_ffff_ffff, 0x0100_0001_0100_0001] {
                check_value(&mut *backend, &mut pool, e, &two_floats(64, x, 0));
            }
        }
    }
}

fn float_comparisons_agree_with_evaluation(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let (a, b) = (pool.input(0, 4), pool.input(4, 4));
    let values = float_bits(32);
    for i in 0..16u8 {
        let compare = FloatCmp { less: i & 1 != 0, equal: i & 2 != 0, greater: i & 4 != 0, unordered: i & 8 != 0 };
        let e = pool.float_cmp(compare, a, b);
        for (x, y) in [(0, 1), (2, 3), (3, 2), (2, 2), (10, 2), (2, 10), (10, 11), (8, 9), (6, 0)] {
            check_value(&mut *backend, &mut pool, e, &two_floats(32, values[x], values[y]));
        }
    }
    // A float stays a float between operations.
    let sum = pool.float(FloatOp::Add, a, b);
    let negative = pool.float_un(FloatUnOp::Neg, sum);
    let half = pool.constant(32, 0.5f32.to_bits().into());
    let equal = pool.float_cmp(FloatCmp::EQUAL, negative, half);
    let quarter = pool.constant(32, 0.25f32.to_bits().into());
    let is_quarter = pool.eq(a, quarter);
    let input = sat(&mut *backend, &pool, &[equal, is_quarter]);
    assert_eq!(f32::from_le_bytes(input[4..8].try_into().unwrap()), -0.75);
}

fn remainders_are_bounded(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let (a, b) = (pool.input(0, 8), pool.input(8, 8));
    let remainder = pool.float(FloatOp::Rem, a, b);
    let ten = pool.constant(64, 10f64.to_bits().into());
    let by_ten = pool.eq(b, ten);
    let eleven = pool.constant(64, 11f64.to_bits().into());
    let more = pool.float_cmp(FloatCmp::GREATER, remainder, eleven);
    unsat(&mut *backend, &pool, &[by_ten, more]);
    let seventeen = pool.constant(64, 17f64.to_bits().into());
    let is_seventeen = pool.eq(a, seventeen);
    let seven = pool.constant(64, 7f64.to_bits().into());
    let not_seven = pool.ne(remainder, seven);
    unsat(&mut *backend, &pool, &[by_ten, is_seventeen, not_seven]);
    let is_seven = pool.eq(remainder, seven);
    sat(&mut *backend, &pool, &[by_ten, is_seventeen, is_seven]);
}

fn native_functions_are_free(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let a = pool.input(0, 8);
    let sine = pool.native(NativeFn::Sin, &[a]);
    let seven = pool.constant(64, 7f64.to_bits().into());
    let is_seven = pool.eq(sine, seven);
    assert!(matches!(backend.check(&pool, &[is_seven], &deadline()).unwrap(), BackendAnswer::Sat(_)));
    let not_seven = pool.ne(sine, seven);
    assert_eq!(unsat(&mut *backend, &pool, &[is_seven, not_seven]).len(), 2);
}

fn cores_are_small(mut backend: Box<dyn Backend>) {
    let mut pool = Pool::new();
    let words: Vec<Expr> = (0..8).map(|i| pool.input(4 * i, 4)).collect();
    let mut conditions: Vec<Expr> = words.windows(2).map(|pair| pool.ult(pair[0], pair[1])).collect();
    let back = pool.ult(words[5], words[3]);
    conditions.push(back);
    let mut core = unsat(&mut *backend, &pool, &conditions);
    core.sort_unstable();
    let mut expected = vec![conditions[3], conditions[4], back];
    expected.sort_unstable();
    assert_eq!(core, expected);
    assert!(unsat(&mut *backend, &pool, &[pool.bool(false)]).len() <= 1);
}

fn models_satisfy(mut backend: Box<dyn Backend>) {
    let mut pool = Pool::new();
    let (a, b) = (pool.input(0, 4), pool.input(4, 4));
    let product = pool.mul(a, b);
    let target = pool.constant(32, 0x1234_5678);
    let found = pool.eq(product, target);
    let big = pool.constant(32, 0x10000);
    let a_big = pool.ugt(a, big);
    let b_big = pool.ugt(b, big);
    sat(&mut *backend, &pool, &[found, a_big, b_big]);
    assert_eq!(sat(&mut *backend, &pool, &[]), Vec::<u8>::new());
}

/// A question that takes any solver years: factoring a product of two primes of 63 bits.
fn hard_question(pool: &mut Pool) -> Vec<Expr> {
    let (a, b) = (pool.input(0, 8), pool.input(8, 8));
    let (wide_a, wide_b) = (pool.zext(a, 128), pool.zext(b, 128));
    let product = pool.mul(wide_a, wide_b);
    let target = pool.constant(128, 5_404_409_356_476_829_913 * 6_133_192_865_029_429_481);
    let one = pool.constant(64, 1);
    vec![pool.eq(product, target), pool.ult(one, a), pool.ult(a, b)]
}

fn stops_in_time(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let hard = hard_question(&mut pool);
    let start = Instant::now();
    let answer = backend.check(&pool, &hard, &Deadline::lasting(Duration::from_millis(300))).unwrap();
    assert_eq!(answer, BackendAnswer::Unknown(BackendReason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(10));
    sat(&mut *backend, &pool, &hard[1..]);
}

fn stops_when_interrupted(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let hard = hard_question(&mut pool);
    let flag = Arc::new(AtomicBool::new(false));
    let deadline = Deadline::lasting(Duration::from_secs(120)).unless(Arc::clone(&flag));
    let start = Instant::now();
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        });
        backend.check(&pool, &hard, &deadline).unwrap()
    });
    assert_eq!(answer, BackendAnswer::Unknown(BackendReason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(60));
    sat(&mut *backend, &pool, &hard[1..]);
}

fn deep_expressions(mut backend: Box<dyn Backend>) {
    let mut pool = plain_pool();
    let mut sum = pool.input(0, 1);
    for i in 0..20_000 {
        let byte = pool.input(1 + i % 4, 1);
        sum = pool.xor(sum, byte);
    }
    let zero = pool.constant(8, 0);
    let found = pool.eq(sum, zero);
    sat(&mut *backend, &pool, &[found]);
}

fn many_questions(mut backend: Box<dyn Backend>) {
    let mut pool = Pool::new();
    let words: Vec<Expr> = (0..6).map(|i| pool.input(4 * i, 4)).collect();
    for i in 0..300 {
        let k = pool.constant(32, i * 7919);
        let (a, b) = (words[i as usize % 6], words[(i as usize + 1) % 6]);
        let sum = pool.add(a, b);
        let found = pool.eq(sum, k);
        let order = pool.ult(a, b);
        sat(&mut *backend, &pool, &[found, order]);
    }
}
