//! The basics: sharing, folding, evaluation, supports, truth tables, arrays, holes.

use secateur_expr::{Expr, NativeFn, Node, Pool, Support, Valuation};

#[test]
fn equal_expressions_are_one() {
    let mut pool = Pool::new();
    let (a, b) = (pool.input(0, 4), pool.input(4, 4));
    let first = pool.add(a, b);
    assert_eq!(first, pool.add(b, a));
    assert_ne!(first, pool.sub(a, b));
    assert_eq!(pool.width(first), 32);
    assert_eq!(Expr::from_index(first.index()), Some(first));
}

#[test]
fn constants_are_folded() {
    let mut pool = Pool::new();
    let (a, b) = (pool.constant(100, u128::MAX), pool.constant(100, 3));
    let product = pool.mul(a, b);
    assert_eq!(pool.as_const(product), Some((1 << 100) - 3));
    let less = pool.slt(a, b);
    assert!(pool.is_true(less));
    let not = pool.not(less);
    assert!(pool.is_false(not));
}

#[test]
fn input_words_are_little_endian() {
    let mut pool = Pool::new();
    let word = pool.input(1, 4);
    let mut valuation = Valuation::new(vec![9, 0x11, 0x22, 0x33]);
    assert_eq!(valuation.eval(&pool, word), 0x0033_2211);
    valuation.set_byte(4, 0x44);
    assert_eq!(valuation.eval(&pool, word), 0x4433_2211);
    let wide = pool.input(0, 16);
    assert_eq!(valuation.eval_wide(&pool, wide), 0x44_3322_1109);
}

#[test]
fn a_valuation_detects_another_pool() {
    let mut pools = [Pool::new(), Pool::new()];
    let mut valuation = Valuation::new(vec![1, 2]);
    let first = pools[0].input(0, 1);
    let second = pools[1].input(1, 1);
    assert_eq!(first.index(), second.index());
    assert_eq!(valuation.eval(&pools[0], first), 1);
    assert_eq!(valuation.eval(&pools[1], second), 2);
}

#[test]
fn supports_are_the_bytes_an_expression_depends_on() {
    let mut pool = Pool::new();
    let (a, b) = (pool.input(3, 2), pool.input(9, 1));
    let wide = pool.zext(b, 16);
    let sum = pool.add(a, wide);
    let set = pool.support(sum);
    assert_eq!(pool.support_bytes(set), [3, 4, 9]);
    assert!(pool.support_intersects(set, pool.support(b)));
    assert!(!pool.support_intersects(pool.support(a), pool.support(b)));
    let constant = pool.constant(8, 1);
    assert_eq!(pool.support(constant), Support::EMPTY);
}

#[test]
fn stores_shadow_earlier_elements() {
    let mut pool = Pool::new();
    let elements: Vec<Expr> = (0..4).map(|i| pool.constant(8, 10 + i)).collect();
    let table = pool.table(&elements);
    let narrow_index = pool.input(0, 1);
    let index = pool.zext(narrow_index, 64);
    let value = pool.input(1, 1);
    let stored = pool.store(table, index, value);
    let one = pool.constant(64, 1);
    let element = pool.select(stored, one);
    let any = pool.select(table, index);
    let mut valuation = Valuation::new(vec![1, 77]);
    assert_eq!(valuation.eval(&pool, element), 77);
    assert_eq!(valuation.eval(&pool, any), 11);
    valuation.set_byte(0, 2);
    assert_eq!(valuation.eval(&pool, element), 11);
    valuation.set_byte(0, 4);
    assert_eq!(valuation.eval(&pool, any), 0, "out of range");
    assert_eq!(pool.array_len(stored), 4);
}

#[test]
fn holes_are_filled() {
    let mut pool = Pool::new();
    let hole = pool.hole(7, 8);
    let byte = pool.input(0, 1);
    let sum = pool.add(hole, byte);
    let table = pool.table(&[sum, byte]);
    let index = pool.zext(hole, 64);
    let read = pool.select(table, index);
    let one = pool.constant(8, 1);
    let mut asked = 0;
    let filled = pool.substitute(read, &mut |id, width| {
        asked += 1;
        assert_eq!((id, width), (7, 8));
        Some(one)
    });
    assert_eq!(asked, 1);
    assert!(!pool.has_hole(filled));
    let mut valuation = Valuation::new(vec![5]);
    assert_eq!(valuation.eval(&pool, filled), 5);
    assert_eq!(pool.substitute(read, &mut |_, _| None), read);
}

#[test]
fn native_functions_are_called() {
    let mut pool = Pool::new();
    let x = pool.input(0, 8);
    let sine = pool.native(NativeFn::Sin, &[x]);
    assert!(pool.depends_on_native(sine));
    let mut valuation = Valuation::new(2.0f64.to_le_bytes().to_vec());
    assert_eq!(f64::from_bits(valuation.eval(&pool, sine)), 2.0f64.sin());
    assert_eq!(NativeFn::from_name("powf"), Some((NativeFn::Pow, 32)));
    assert_eq!(NativeFn::from_name("printf"), None);
}

#[test]
fn imported_expressions_evaluate_to_the_same() {
    let mut pool = Pool::new();
    let (a, b) = (pool.input(0, 4), pool.input(4, 4));
    let product = pool.mul(a, b);
    let c = pool.ult(product, a);
    let mut other = Pool::new();
    let imported = other.import(&pool, &[c, product]);
    assert!(matches!(other.node(imported[1]), Node::Binary(..)));
    for seed in 0..20u8 {
        let input: Vec<u8> = (0..8).map(|i| seed.wrapping_mul(37).wrapping_add(i * 31)).collect();
        let mut valuation = Valuation::new(input);
        let expected = valuation.holds(&pool, c);
        assert_eq!(valuation.holds(&other, imported[0]), expected);
    }
}

#[test]
fn truth_tables_agree_with_evaluation() {
    let mut pool = Pool::new();
    let byte = pool.input(5, 1);
    let (low, high) = (pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
    let (from, to) = (pool.ule(low, byte), pool.ule(byte, high));
    let digit = pool.and(from, to);
    let table = pool.truth_table(digit).expect("one byte");
    for value in 0..=255u8 {
        let expected = value.is_ascii_digit();
        assert_eq!(table.contains(value), expected);
    }
    assert_eq!(pool.truth_table(byte), None, "not a condition");
    let other = pool.input(6, 1);
    let two = pool.ult(byte, other);
    assert_eq!(pool.truth_table(two), None, "two bytes");
}

/// A table is composed of those of the operands, so that a deep expression has one if its parts had one before.
#[test]
fn truth_tables_of_deep_expressions_are_composed() {
    let mut pool = Pool::new();
    let byte = pool.input(0, 1);
    let (three, limit) = (pool.constant(8, 3), pool.constant(8, 100));
    let mut deep = byte;
    for _ in 0..15 {
        for _ in 0..500 {
            let product = pool.mul(deep, three);
            deep = pool.xor(product, byte);
        }
        let below = pool.ult(deep, limit);
        let table = pool.truth_table(below).expect("a thousand operations more than before");
        let mut valuation = Valuation::new(vec![0]);
        for value in 0..=255 {
            valuation.set_byte(0, value);
            assert_eq!(table.contains(value), valuation.holds(&pool, below));
        }
    }
}

/// Elements that are constants or depend on the same byte, stores on top of them, and indices out of range.
#[test]
fn truth_tables_of_array_reads_agree_with_evaluation() {
    let mut pool = Pool::new();
    let byte = pool.input(3, 1);
    let index = pool.zext(byte, 64);
    let mut elements: Vec<Expr> = (0..200).map(|at| pool.constant(8, at * 7 % 256)).collect();
    elements[17] = pool.not(byte);
    let table = pool.table(&elements);
    let (half, hundred, five) = (pool.constant(8, 128), pool.constant(64, 100), pool.constant(64, 5));
    let sum = pool.add(byte, half);
    let stored = pool.store(table, hundred, sum);
    let next = pool.add(index, five);
    let stored = pool.store(stored, next, byte);
    for array in [table, stored] {
        for offset in [0, 90] {
            let offset = pool.constant(64, offset);
            let at = pool.add(index, offset);
            let read = pool.select(array, at);
            let condition = pool.ult(read, half);
            let values = pool.truth_table(condition).expect("one byte");
            let mut valuation = Valuation::new(vec![0; 4]);
            for value in 0..=255 {
                valuation.set_byte(3, value);
                assert_eq!(values.contains(value), valuation.holds(&pool, condition), "{value}");
            }
        }
    }
}

#[test]
fn values_on_one_byte_agree_with_evaluation() {
    let mut pool = Pool::new();
    let byte = pool.input(5, 1);
    let wide = pool.sext(byte, 32);
    let (minus, seven) = (pool.constant(32, 0xffff_ffd0), pool.constant(32, 7));
    let digit = pool.add(wide, minus);
    let remainder = pool.srem(digit, seven);
    let (on, values) = pool.values_on_one_byte(remainder, 10).expect("one byte");
    assert_eq!(on, 5);
    for value in 0..=255u8 {
        let expected = (i32::from(value as i8) - 0x30) % 7;
        assert_eq!(values[usize::from(value)], u64::from(expected as u32));
    }
    assert_eq!(pool.values_on_one_byte(remainder, 3), None, "it has more operations");
    let wider = pool.zext(byte, 128);
    assert_eq!(pool.values_on_one_byte(wider, 10), None, "too wide");
    let other = pool.input(6, 1);
    let two = pool.add(byte, other);
    assert_eq!(pool.values_on_one_byte(two, 10), None, "two bytes");
}

/// Memory consists of bytes: a word that is written byte by byte and read again must be the same expression.
#[test]
fn words_are_reassembled_from_their_bytes() {
    let mut pool = Pool::new();
    let (x, y, byte) = (pool.input(0, 4), pool.input(4, 4), pool.input(8, 1));
    let (small, signed) = (pool.zext(byte, 32), pool.sext(byte, 32));
    let constant = pool.constant(32, 0x1234_5678);
    let condition = pool.ult(x, y);
    let sum = pool.add(small, signed);
    let mask = pool.constant(32, 0x000f_ff00);
    let words = [
        x,
        small,
        signed,
        sum,
        pool.add(x, y),
        pool.mul(signed, constant),
        pool.xor(x, constant),
        pool.xor(sum, constant),
        pool.and(x, mask),
        pool.ite(condition, x, y),
        pool.ite(condition, constant, mask),
        pool.ite(condition, sum, y),
        pool.zext(condition, 32),
        pool.neg(small),
        pool.udiv(x, y),
    ];
    for word in words {
        let bytes: Vec<Expr> = (0..4).map(|i| pool.extract(word, 8 * i, 8)).collect();
        let read_up = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
        let read_down = bytes[..3].iter().rev().fold(bytes[3], |high, &low| pool.concat(high, low));
        for read in [read_up, read_down] {
            assert_eq!(read, word, "{} became {}", pool.display(word), pool.display(read));
        }
    }
}
