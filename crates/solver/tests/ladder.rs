//! The ladder as a whole: its guarantees, and which rung answers which questions.

use std::time::Duration;

use secateur_expr::{Expr, FloatCmp, FloatOp, NativeFn, Pool, Valuation};
use secateur_path::Path;
use secateur_solver::{
    Answer, BackendKind, BackendReason, Options, Rung, RungSet, Solver, SolverError, Tuning, UnknownReason,
};

/// A question for solvers.
struct Case {
    pool: Pool,
    path: Vec<Expr>,
    goal: Expr,
    current: Vec<u8>,
}

impl Case {
    fn new(current: &[u8], build: impl FnOnce(&mut Pool) -> (Vec<Expr>, Expr)) -> Case {
        let mut pool = Pool::new();
        let (path, goal) = build(&mut pool);
        let mut valuation = Valuation::new(current.to_vec());
        assert!(path.iter().all(|&condition| valuation.holds(&pool, condition)), "the path must hold on the input");
        Case { pool, path, goal, current: current.to_vec() }
    }

    fn solve(&mut self, solver: &mut Solver) -> Answer {
        let path = Path::of(&mut self.pool, &self.path);
        let answer = solver.solve(&mut self.pool, &path, self.goal, &self.current);
        assert_eq!(solver.statistics().wrong_models, 0);
        match &answer {
            Answer::Sat(input) => {
                let mut valuation = Valuation::new(input.clone());
                for &condition in self.path.iter().chain([&self.goal]) {
                    assert!(valuation.holds(&self.pool, condition), "{}", self.pool.display(condition));
                }
            }
            Answer::Unsat(core) => {
                assert!(core.iter().all(|condition| self.path.contains(condition) || *condition == self.goal));
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    /// Solves with only this rung and slicing enabled.
    fn solve_with(&mut self, rung: Rung) -> Answer {
        self.solve(&mut solver(RungSet::none().with(Rung::Slice).with(rung)))
    }

    /// The rung that answers when all are enabled.
    fn answered_by(&mut self) -> Rung {
        let mut solver = solver(RungSet::all());
        self.solve(&mut solver);
        Rung::ALL.into_iter().find(|&rung| solver.statistics().rung(rung).answered == 1).expect("a rung has answered")
    }
}

fn solver(rungs: RungSet) -> Solver {
    Solver::new(Options { rungs, timeout: Duration::from_secs(20), ..Options::default() }).unwrap()
}

#[test]
fn bytes_outside_the_slice_keep_their_values() {
    let mut case = Case::new(b"abcdef", |pool| {
        let bytes: Vec<Expr> = (0..6).map(|i| pool.input(i, 1)).collect();
        let (b, x) = (pool.constant(8, b'b'.into()), pool.constant(8, b'x'.into()));
        let path = vec![pool.eq(bytes[1], b), pool.ult(bytes[2], bytes[3])];
        (path, pool.eq(bytes[5], x))
    });
    assert_eq!(case.solve(&mut solver(RungSet::all())), Answer::Sat(b"abcdex".to_vec()));
    assert_eq!(case.solve_with(Rung::Smt), Answer::Sat(b"abcdex".to_vec()));
}

#[test]
fn an_input_grows_to_hold_the_bytes_it_needs() {
    let mut case = Case::new(b"", |pool| {
        let word = pool.input(2, 2);
        let value = pool.constant(16, 0x4142);
        (Vec::new(), pool.eq(word, value))
    });
    assert_eq!(case.solve(&mut solver(RungSet::all())), Answer::Sat(vec![0, 0, 0x42, 0x41]));
}

#[test]
fn constants_are_folded() {
    let mut case = Case::new(b"a", |pool| (Vec::new(), pool.bool(true)));
    assert_eq!(case.solve_with(Rung::Fold), Answer::Sat(b"a".to_vec()));
    let mut case = Case::new(b"a", |pool| (Vec::new(), pool.bool(false)));
    assert_eq!(case.solve_with(Rung::Fold), Answer::Unsat(vec![case.goal]));
}

#[test]
fn goals_on_one_byte_or_word_are_decided_by_the_path() {
    let build = |entangled: bool| {
        Case::new(b"5\0", move |pool| {
            let (a, b) = (pool.input(0, 1), pool.input(1, 1));
            let (low, high) = (pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
            let mut path = vec![pool.uge(a, low), pool.ule(a, high)];
            if entangled {
                path.push(pool.ult(b, a));
            }
            (path, pool.eq(a, high))
        })
    };
    assert_eq!(build(false).answered_by(), Rung::Known);
    assert_eq!(build(false).solve_with(Rung::Known), Answer::Sat(b"9\0".to_vec()));
    assert_ne!(build(true).answered_by(), Rung::Known);
    assert_eq!(build(true).solve_with(Rung::Known), Answer::Unknown(UnknownReason::Undecided));
}

#[test]
fn conditions_on_one_byte_are_decided_by_domains() {
    let mut case = Case::new(b"5", |pool| {
        let a = pool.input(0, 1);
        let (low, high) = (pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
        let mask = pool.constant(8, 7);
        let bits = pool.and(a, mask);
        (vec![pool.uge(a, low), pool.ule(a, high)], pool.eq(bits, mask))
    });
    assert_eq!(case.answered_by(), Rung::Known);
    assert_eq!(case.solve_with(Rung::Domains), Answer::Sat(b"7".to_vec()));
    let mut case = Case::new(b"5", |pool| {
        let a = pool.input(0, 1);
        let (low, high) = (pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
        (vec![pool.uge(a, low), pool.ule(a, high)], pool.ugt(a, high))
    });
    let Answer::Unsat(core) = case.solve_with(Rung::Domains) else { panic!() };
    assert_eq!(core.len(), 2);
}

#[test]
fn few_combinations_are_enumerated() {
    let reachable: Vec<u8> = (b'0'..=b'9').flat_map(|a| (b'0'..=b'9').map(move |b: u8| b.wrapping_mul(a))).collect();
    for target in [b'7'.wrapping_mul(b'3'), 1, 2, 3] {
        let answer = digit_product(target.into()).solve_with(Rung::Domains);
        assert_eq!(matches!(answer, Answer::Sat(_)), reachable.contains(&target));
        assert!(!matches!(answer, Answer::Unknown(_)));
    }
}

/// The product of two digits, as characters, is a given byte.
fn digit_product(target: u128) -> Case {
    Case::new(b"12", move |pool| {
        let (a, b) = (pool.input(0, 1), pool.input(1, 1));
        let (low, high) = (pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
        let path = vec![pool.uge(a, low), pool.ule(a, high), pool.uge(b, low), pool.ule(b, high)];
        let product = pool.mul(a, b);
        let target = pool.constant(8, target);
        (path, pool.eq(product, target))
    })
}

#[test]
fn rungs_keep_their_tuned_limits() {
    // There are 100 combinations, and one condition to evaluate on each.
    for (evaluations, is_decided) in [(99, false), (100, true)] {
        let rungs = RungSet::none().with(Rung::Slice).with(Rung::Domains);
        let tuning = Tuning { domains_evaluations: evaluations, ..Tuning::default() };
        let mut solver = Solver::new(Options { rungs, tuning, ..Options::default() }).unwrap();
        let answer = digit_product(1).solve(&mut solver);
        assert_eq!(!matches!(answer, Answer::Unknown(_)), is_decided, "{evaluations} evaluations");
    }
}

#[test]
fn range_checks_are_decided_by_intervals() {
    let mut case = Case::new(&5i32.to_le_bytes(), |pool| {
        let n = pool.input(0, 4);
        let (zero, limit, goal) = (pool.constant(32, 0), pool.constant(32, 1000), pool.constant(32, 998));
        let one = pool.constant(32, 1);
        let next = pool.add(n, one);
        (vec![pool.sge(n, zero), pool.ult(next, limit)], pool.sge(n, goal))
    });
    assert_eq!(case.answered_by(), Rung::Known);
    assert_eq!(case.solve_with(Rung::Intervals), Answer::Sat(998i32.to_le_bytes().to_vec()));
    case.goal = {
        let (n, limit) = (case.pool.input(0, 4), case.pool.constant(32, 999));
        case.pool.sge(n, limit)
    };
    let Answer::Unsat(core) = case.solve_with(Rung::Intervals) else { panic!() };
    assert!(core.len() <= 3);
}

#[test]
fn few_values_of_words_are_enumerated() {
    let build = |remainder: u128| {
        let mut current = 12u32.to_le_bytes().to_vec();
        current.extend(5u32.to_le_bytes());
        Case::new(&current, move |pool| {
            let (a, b) = (pool.input(0, 4), pool.input(4, 4));
            let (one, limit) = (pool.constant(32, 1), pool.constant(32, 13));
            let path = vec![pool.uge(a, one), pool.ult(a, limit), pool.uge(b, one), pool.ult(b, limit)];
            let rest = pool.urem(a, b);
            let target = pool.constant(32, remainder);
            (path, pool.eq(rest, target))
        })
    };
    assert!(matches!(build(7).solve_with(Rung::Intervals), Answer::Sat(_)));
    assert!(matches!(build(12).solve_with(Rung::Intervals), Answer::Unsat(core) if core.len() == 5));
    assert_eq!(build(12).answered_by(), Rung::Intervals);
}

/// Words `order[0] < order[1] < …` on the path, and a goal between two of them.
fn sorted(signed: bool, order: [usize; 5], goal: (usize, usize)) -> Case {
    let mut current = vec![0; 20];
    for (rank, &word) in order.iter().enumerate() {
        let value = rank as i32 * 10 - if signed { 20 } else { 0 };
        current[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
    }
    Case::new(&current, move |pool| {
        let words: Vec<Expr> = (0..5).map(|i| pool.input(4 * i, 4)).collect();
        let mut less =
            |a: usize, b: usize| if signed { pool.slt(words[a], words[b]) } else { pool.ult(words[a], words[b]) };
        let path = order.windows(2).map(|pair| less(pair[0], pair[1])).collect();
        (path, less(goal.0, goal.1))
    })
}

#[test]
fn comparisons_of_words_are_decided_by_order() {
    for signed in [false, true] {
        let Answer::Unsat(core) = sorted(signed, [3, 1, 4, 0, 2], (0, 1)).solve_with(Rung::Order) else { panic!() };
        assert_eq!(core.len(), 3, "1 < 4 < 0 < 1");
        let mut case = sorted(signed, [3, 1, 4, 0, 2], (0, 1));
        case.path.remove(1);
        case.current[4..8].copy_from_slice(&500i32.to_le_bytes());
        case.path.remove(0);
        assert!(matches!(case.solve_with(Rung::Order), Answer::Sat(_)));
    }
}

#[test]
fn order_respects_bounds_and_disequalities() {
    // Three different words between 5 and 7, and a fourth below them but not below 5.
    let mut case = Case::new(&[5, 6, 7, 5].map(|x: u16| x.to_le_bytes()).concat(), |pool| {
        let words: Vec<Expr> = (0..4).map(|i| pool.input(2 * i, 2)).collect();
        let (low, high) = (pool.constant(16, 5), pool.constant(16, 7));
        let mut path = Vec::new();
        for &word in &words {
            path.extend([pool.uge(word, low), pool.ule(word, high)]);
        }
        path.extend([pool.ult(words[0], words[1]), pool.ult(words[1], words[2])]);
        (path, pool.ult(words[3], words[0]))
    });
    let Answer::Unsat(core) = case.solve_with(Rung::Order) else { panic!() };
    assert!(core.len() <= 6, "{}", core.len());
    case.goal = {
        let (first, last) = (case.pool.input(0, 2), case.pool.input(6, 2));
        case.pool.ne(first, last)
    };
    assert!(matches!(case.solve_with(Rung::Order), Answer::Sat(_)));
}

#[test]
fn search_inverts_computations() {
    let mut case = Case::new(&[0; 16], |pool| {
        let (a, b) = (pool.input(0, 4), pool.input(4, 4));
        let (three, factor) = (pool.constant(32, 3), pool.constant(32, 0x9e37_79b1));
        let mixed = pool.mul(a, factor);
        let mixed = pool.add(mixed, three);
        let mixed = pool.xor(mixed, b);
        let target = pool.constant(32, 0xdead_beef);
        (Vec::new(), pool.eq(mixed, target))
    });
    assert_eq!(case.answered_by(), Rung::Search);
}

/// The conditions for two digits after an optional minus sign, and their number.
fn signed_number(pool: &mut Pool) -> (Vec<Expr>, Expr) {
    let bytes: Vec<Expr> = (0..3).map(|i| pool.input(i, 1)).collect();
    let (minus, zero, ten) = (pool.constant(8, b'-'.into()), pool.constant(8, b'0'.into()), pool.constant(8, 10));
    let negative = pool.eq(bytes[0], minus);
    let mut path = Vec::new();
    let mut number = pool.constant(32, 0);
    for i in 0..2 {
        let digit = pool.ite(negative, bytes[i + 1], bytes[i]);
        let digit = pool.sub(digit, zero);
        path.push(pool.ult(digit, ten));
        let (digit, base) = (pool.zext(digit, 32), pool.constant(32, 10));
        number = pool.mul(number, base);
        number = pool.add(number, digit);
    }
    let opposite = pool.neg(number);
    (path, pool.ite(negative, opposite, number))
}

/// Messages that begin with their length: where the second one begins depends on the first byte. All lengths are below
/// `lengths`, and the goal is about the first byte of the second message's content.
fn messages(lengths: u128, goal: impl Fn(&mut Pool, Expr, Expr) -> Expr) -> Case {
    Case::new(&[0; 12], |pool| {
        let bytes: Vec<Expr> = (0..12).map(|i| pool.input(i, 1)).collect();
        let array = pool.table(&bytes);
        let (one, limit) = (pool.constant(64, 1), pool.constant(8, lengths));
        let first = pool.zext(bytes[0], 64);
        let second = pool.add(first, one);
        let length = pool.select(array, second);
        let path = vec![pool.ult(bytes[0], limit), pool.ult(length, limit)];
        let begin = pool.add(second, one);
        let content = pool.select(array, begin);
        let goal = goal(pool, length, content);
        (path, goal)
    })
}

#[test]
fn cases_split_on_an_index() {
    let is = |value: u128, small: bool| {
        move |pool: &mut Pool, length: Expr, content: Expr| {
            let value = pool.constant(8, value);
            pool.eq(if small { length } else { content }, value)
        }
    };
    assert!(matches!(messages(5, is(200, false)).solve_with(Rung::Cases), Answer::Sat(_)));
    assert!(matches!(messages(5, is(4, true)).solve_with(Rung::Cases), Answer::Sat(_)));
    // The length of the second message is below 5, wherever it is.
    let Answer::Unsat(core) = messages(5, is(5, true)).solve_with(Rung::Cases) else { panic!("it is below 5") };
    assert_eq!(core.len(), 3, "both bounds are needed, and the goal");
    // A byte with many values is left to other rungs.
    assert_eq!(
        messages(100, is(100, true)).solve_with(Rung::Cases),
        Answer::Unknown(UnknownReason::Undecided),
        "a hundred cases are too many"
    );
}

#[test]
fn cases_split_on_a_sign() {
    let compared = |limit: u128, less: bool| {
        Case::new(b"427", |pool| {
            let (path, number) = signed_number(pool);
            let limit = pool.constant(32, limit);
            let goal = if less { pool.slt(number, limit) } else { pool.slt(limit, number) };
            (path, goal)
        })
    };
    assert!(matches!(compared(0, true).solve_with(Rung::Cases), Answer::Sat(_)));
    assert!(matches!(compared(98, false).solve_with(Rung::Cases), Answer::Sat(_)));
    // No two digits make a number beyond 99 or below -99.
    assert!(matches!(compared(99, false).solve_with(Rung::Cases), Answer::Unsat(_)));
    assert!(matches!(compared(u128::from(-99i32 as u32), true).solve_with(Rung::Cases), Answer::Unsat(_)));
    // Bytes without bounds are left to other rungs.
    let mut case = Case::new(&[0; 8], |pool| {
        let (a, b) = (pool.input(0, 4), pool.input(4, 4));
        let product = pool.mul(a, b);
        let prime = pool.constant(32, 0x7fff_ffff);
        let (one, sum) = (pool.constant(32, 1), pool.add(a, b));
        let goals = [pool.eq(product, prime), pool.ult(one, a), pool.ult(one, b), pool.eq(sum, one)];
        (Vec::new(), goals.into_iter().reduce(|all, goal| pool.and(all, goal)).unwrap())
    });
    assert_eq!(case.solve_with(Rung::Cases), Answer::Unknown(UnknownReason::Undecided));
}

#[test]
fn search_works_through_native_functions() {
    let mut case = Case::new(&1f64.to_le_bytes(), |pool| {
        let x = pool.input(0, 8);
        let power = pool.native(NativeFn::Exp, &[x]);
        let thousand = pool.constant(64, 1000f64.to_bits().into());
        (Vec::new(), pool.float_cmp(FloatCmp::GREATER, power, thousand))
    });
    assert!(matches!(case.solve_with(Rung::Search), Answer::Sat(_)));
}

#[test]
fn an_answer_that_depends_on_a_native_function_is_unknown() {
    let mut case = Case::new(&1f64.to_le_bytes(), |pool| {
        let x = pool.input(0, 8);
        let sine = pool.native(NativeFn::Sin, &[x]);
        let two = pool.constant(64, 2f64.to_bits().into());
        (Vec::new(), pool.float_cmp(FloatCmp::GREATER, sine, two))
    });
    assert_eq!(case.solve(&mut solver(RungSet::all())), Answer::Unknown(UnknownReason::Native("sin")));
    // A contradiction that does not depend on the function is found nevertheless.
    let mut case = Case::new(&1f64.to_le_bytes(), |pool| {
        let x = pool.input(0, 8);
        let sine = pool.native(NativeFn::Sin, &[x]);
        let two = pool.constant(64, 2f64.to_bits().into());
        let less = pool.float_cmp(FloatCmp::LESS, sine, two);
        (vec![less], pool.float_cmp(FloatCmp::GREATER, sine, two))
    });
    assert!(matches!(case.solve(&mut solver(RungSet::all())), Answer::Unsat(_)));
}

#[test]
fn wrong_results_of_functions_are_refined() {
    // The cosine of a byte: the backend must find the one of 256 arguments whose cosine is below -0.9999.
    let mut case = Case::new(&[0], |pool| {
        let byte = pool.input(0, 1);
        let (five, bound) = (pool.constant(8, 5), pool.constant(64, (-0.95f64).to_bits().into()));
        let small = pool.ult(byte, five);
        let x = pool.float_cast(secateur_expr::FloatCast::FromUnsigned, byte, 64);
        let cosine = pool.native(NativeFn::Cos, &[x]);
        (vec![small], pool.float_cmp(FloatCmp::LESS, cosine, bound))
    });
    assert_eq!(case.solve_with(Rung::Smt), Answer::Sat(vec![3]));
}

#[test]
fn remainders_of_floats_are_found() {
    let mut case = Case::new(&[5f64.to_le_bytes(), 3f64.to_le_bytes()].concat(), |pool| {
        let (x, y) = (pool.input(0, 8), pool.input(8, 8));
        let remainder = pool.float(FloatOp::Rem, x, y);
        let (half, seven) = (pool.constant(64, 0.5f64.to_bits().into()), pool.constant(64, 7f64.to_bits().into()));
        let path = vec![pool.float_cmp(FloatCmp::GREATER, seven, y)];
        (path, pool.float_cmp(FloatCmp::EQUAL, remainder, half))
    });
    assert!(matches!(case.solve(&mut solver(RungSet::all())), Answer::Sat(_)));
}

#[test]
fn answers_are_cached_and_cores_reused() {
    let mut case = sorted(true, [0, 1, 2, 3, 4], (4, 2));
    let mut solver = solver(RungSet::none().with(Rung::Slice).with(Rung::Cache).with(Rung::Smt));
    assert!(matches!(case.solve(&mut solver), Answer::Unsat(core) if core.len() == 3));
    case.solve(&mut solver);
    assert_eq!(solver.statistics().rung(Rung::Cache).answered, 1);
    // A longer path with the same core.
    let (a, b) = (case.pool.input(12, 4), case.pool.input(20, 4));
    let extra = case.pool.slt(b, a);
    case.path.push(extra);
    case.solve(&mut solver);
    assert_eq!(solver.statistics().rung(Rung::Cache).answered, 2);
    assert_eq!(solver.statistics().backend_calls, 1);
}

#[test]
fn models_are_reused() {
    let mut case = Case::new(&[1; 16], |pool| {
        let (a, b) = (pool.input(0, 4), pool.input(4, 4));
        let product = pool.mul(a, b);
        let target = pool.constant(32, 77_779);
        (Vec::new(), pool.eq(product, target))
    });
    let mut solver = solver(RungSet::none().with(Rung::Slice).with(Rung::Models).with(Rung::Smt));
    assert!(matches!(case.solve(&mut solver), Answer::Sat(_)));
    let first = case.goal;
    let (a, b) = (case.pool.input(0, 4), case.pool.input(4, 4));
    let product = case.pool.mul(a, b);
    let bound = case.pool.constant(32, 1000);
    case.goal = case.pool.ugt(product, bound);
    assert!(matches!(case.solve(&mut solver), Answer::Sat(_)));
    assert_eq!(solver.statistics().rung(Rung::Models).answered, 1);
    assert_ne!(first, case.goal);
}

#[test]
fn a_new_pool_is_noticed() {
    let mut solver = solver(RungSet::none().with(Rung::Slice).with(Rung::Cache).with(Rung::Smt));
    // The same handles mean different things in the two pools.
    for value in [7, 9] {
        let mut case = Case::new(&[0], |pool| {
            let a = pool.input(0, 1);
            let value = pool.constant(8, value);
            (Vec::new(), pool.eq(a, value))
        });
        assert_eq!(case.solve(&mut solver), Answer::Sat(vec![value as u8]));
    }
}

#[test]
fn a_time_limit_gives_unknown() {
    let mut case = Case::new(&[0; 16], |pool| {
        let (a, b) = (pool.input(0, 8), pool.input(8, 8));
        let (wide_a, wide_b) = (pool.zext(a, 128), pool.zext(b, 128));
        let product = pool.mul(wide_a, wide_b);
        let target = pool.constant(128, 5_404_409_356_476_829_913 * 6_133_192_865_029_429_481);
        let one = pool.constant(64, 1);
        let found = pool.eq(product, target);
        let above = pool.ult(one, a);
        let ordered = pool.ult(a, b);
        let goal = pool.and(found, above);
        (Vec::new(), pool.and(goal, ordered))
    });
    for backend in BackendKind::ALL {
        let options = Options { backend, timeout: Duration::from_millis(200), ..Options::default() };
        assert_eq!(
            case.solve(&mut Solver::new(options).unwrap()),
            Answer::Unknown(UnknownReason::Backend(BackendReason::Timeout))
        );
    }
}

#[test]
fn without_rungs_nothing_is_decided() {
    let mut case = sorted(true, [0, 1, 2, 3, 4], (4, 2));
    assert_eq!(case.solve(&mut solver(RungSet::none())), Answer::Unknown(UnknownReason::Undecided));
}

#[test]
fn questions_are_dumped() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("queries");
    let options = Options {
        rungs: RungSet::none().with(Rung::Slice).with(Rung::Smt),
        dump: Some(dump.clone()),
        ..Options::default()
    };
    let mut solver = Solver::new(options).unwrap();
    sorted(true, [0, 1, 2, 3, 4], (4, 2)).solve(&mut solver);
    sorted(false, [0, 1, 2, 3, 4], (0, 2)).solve(&mut solver);
    let unsat = std::fs::read_to_string(dump.join("000001.smt2")).unwrap();
    assert!(unsat.starts_with("; unsat, core of 3 of 5\n") && unsat.contains("(check-sat)"), "{unsat}");
    let sat = std::fs::read_to_string(dump.join("000002.smt2")).unwrap();
    assert!(sat.starts_with("; sat\n"), "{sat}");
}

#[test]
fn a_folder_that_cannot_be_created_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let options = Options { dump: Some(file.join("below")), ..Options::default() };
    assert!(matches!(Solver::new(options), Err(SolverError::DumpFolder { .. })));
}

#[test]
fn a_solver_moves_between_threads() {
    let mut moved = solver(RungSet::all());
    sorted(true, [0, 1, 2, 3, 4], (4, 2)).solve(&mut moved);
    std::thread::spawn(move || {
        let answer = sorted(true, [0, 1, 2, 3, 4], (4, 2)).solve_moved(&mut moved);
        assert!(matches!(answer, Answer::Unsat(_)));
    })
    .join()
    .unwrap();
}

impl Case {
    fn solve_moved(mut self, solver: &mut Solver) -> Answer {
        self.solve(solver)
    }
}

/// A path of one condition on a hole, and a goal on the same hole; neither depends on an input byte.
fn bounded_hole(least: u128) -> Case {
    Case::new(b"ab", |pool| {
        let (hole, bound, least) = (pool.hole(3, 32), pool.constant(32, 5), pool.constant(32, least));
        (vec![pool.ult(hole, bound)], pool.ule(least, hole))
    })
}

#[test]
fn a_contradiction_between_conditions_on_holes_is_found() {
    let mut case = bounded_hole(7);
    let Answer::Unsat(core) = case.solve(&mut solver(RungSet::all())) else { panic!() };
    assert_eq!(core.len(), 2);
    assert_eq!(case.answered_by(), Rung::Smt);
    for rung in Rung::ALL.into_iter().filter(|rung| *rung != Rung::Smt) {
        assert_eq!(case.solve_with(rung), Answer::Unknown(UnknownReason::Undecided), "{rung:?}");
    }
}

#[test]
fn an_answer_that_depends_on_a_hole_is_unknown() {
    // Holes have no values yet; they evaluate to 0, for which this does not hold.
    assert_eq!(bounded_hole(3).solve(&mut solver(RungSet::all())), Answer::Unknown(UnknownReason::Hole));
}

#[test]
fn a_byte_can_connect_conditions_on_holes() {
    let mut case = Case::new(&[9, 0], |pool| {
        let (hole, byte, eight) = (pool.hole(0, 8), pool.input(0, 1), pool.constant(8, 8));
        let path = vec![pool.ult(hole, byte), pool.ult(eight, byte)];
        let (other, nine) = (pool.hole(1, 8), pool.constant(8, 9));
        let (is_hole, at_most) = (pool.ule(byte, other), pool.ult(other, nine));
        (path, pool.and(is_hole, at_most))
    });
    assert!(matches!(case.solve(&mut solver(RungSet::all())), Answer::Unsat(_)));
}

#[test]
fn a_cached_model_is_evaluated_on_the_current_input() {
    // The first input already satisfies the goal; the empty model that is kept of it does not fit the second input.
    let mut solver = solver(RungSet::none().with(Rung::Slice).with(Rung::Cache).with(Rung::Models).with(Rung::Smt));
    let mut case = Case::new(&[9, 3], |pool| {
        let (a, b) = (pool.input(0, 1), pool.input(1, 1));
        (Vec::new(), pool.ult(b, a))
    });
    assert_eq!(case.solve(&mut solver), Answer::Sat(vec![9, 3]));
    case.current = vec![3, 9];
    assert!(matches!(case.solve(&mut solver), Answer::Sat(_)));
    assert_eq!(solver.statistics().rung(Rung::Cache).answered, 0);
}

/// The product of two words is a given number, which only `search` and `smt` can solve.
fn product(number: u128) -> Case {
    Case::new(&[1; 4], |pool| {
        let (a, b) = (pool.input(0, 2), pool.input(2, 2));
        let product = pool.mul(a, b);
        let number = pool.constant(16, number);
        (Vec::new(), pool.eq(product, number))
    })
}

#[test]
fn a_rung_in_backoff_is_still_asked_before_a_question_is_given_up() {
    let rungs = RungSet::none().with(Rung::Slice).with(Rung::Sums);
    let mut with_backend = solver(rungs.with(Rung::Smt));
    for number in 0..500 {
        assert!(matches!(product(2 * number + 1).solve(&mut with_backend), Answer::Sat(_)));
    }
    assert!(with_backend.statistics().rung(Rung::Sums).asked < 250);
    assert_eq!(with_backend.statistics().rung(Rung::Smt).answered, 500);
    let mut without_backend = solver(rungs);
    for number in 0..500 {
        product(2 * number + 1).solve(&mut without_backend);
    }
    assert_eq!(without_backend.statistics().rung(Rung::Sums).asked, 500);
}

#[test]
fn statistics_add_up() {
    let mut first = solver(RungSet::all());
    sorted(true, [0, 1, 2, 3, 4], (4, 2)).solve(&mut first);
    let mut second = solver(RungSet::all());
    sorted(true, [0, 1, 2, 3, 4], (0, 4)).solve(&mut second);
    let mut sum = first.statistics().clone();
    sum += second.statistics();
    assert_eq!((sum.queries, sum.sat, sum.unsat, sum.unknown), (2, 1, 1, 0));
    assert_eq!(sum.rung(Rung::Slice).asked, 2);
}

/// Distinct numbers from 1 to 9 in a square; some lines, given by their cells, sum to 15.
fn square(equal: &[[u32; 3]], goal: ([u32; 3], bool)) -> Case {
    Case::new(&[8, 1, 6, 3, 5, 7, 4, 9, 2], |pool| {
        let cells: Vec<Expr> = (0..9).map(|i| pool.input(i, 1)).collect();
        let (zero, nine) = (pool.constant(8, 0), pool.constant(8, 9));
        let mut path = Vec::new();
        for (i, &cell) in cells.iter().enumerate() {
            path.extend([pool.ult(zero, cell), pool.ule(cell, nine)]);
            path.extend(cells[..i].iter().map(|&other| pool.ne(other, cell)));
        }
        let mut is_15 = |line: &[u32; 3]| {
            let wide = line.map(|cell| pool.zext(cells[cell as usize], 32));
            let two = pool.add(wide[0], wide[1]);
            let (sum, wanted) = (pool.add(two, wide[2]), pool.constant(32, 15));
            pool.eq(sum, wanted)
        };
        path.extend(equal.iter().map(&mut is_15));
        let last = is_15(&goal.0);
        (path, if goal.1 { last } else { pool.not(last) })
    })
}

#[test]
fn squares_are_decided_by_sums() {
    let (rows, columns) = ([[0, 1, 2], [3, 4, 5], [6, 7, 8]], [[0, 3, 6], [1, 4, 7], [2, 5, 8]]);
    for is_15 in [false, true] {
        assert!(matches!(square(&rows, (columns[0], is_15)).solve_with(Rung::Sums), Answer::Sat(_)));
    }
    assert_eq!(square(&rows, (columns[0], false)).answered_by(), Rung::Sums);
    // The other lines determine the last one. The disequalities do not matter, only that no sum wraps around.
    let lines = [rows[0], rows[1], rows[2], columns[0], columns[1]];
    let mut case = square(&lines, (columns[2], false));
    let Answer::Unsat(core) = case.solve_with(Rung::Sums) else { panic!() };
    assert!(core.contains(&case.goal) && lines.len() < core.len() && core.len() <= 2 * 9 + 6, "{core:?}");
}

/// A text of digits. The goal is built from the check digit that they should have, as in an ISBN, and the one that they
/// have.
fn check_digit(text: &[u8], goal: impl FnOnce(&mut Pool, Expr, Expr) -> Expr) -> Case {
    Case::new(text, |pool| {
        let (low, high) = (pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
        let (zero, ten) = (pool.constant(32, b'0'.into()), pool.constant(32, 10));
        let mut path = Vec::new();
        let mut sum = pool.constant(32, 0);
        let mut last = sum;
        for i in 0..text.len() {
            let byte = pool.input(i as u32, 1);
            path.extend([pool.sle(low, byte), pool.sle(byte, high)]);
            let wide = pool.sext(byte, 32);
            last = pool.sub(wide, zero);
            if i + 1 < text.len() {
                let factor = pool.constant(32, if i % 2 == 0 { 1 } else { 3 });
                let product = pool.mul(last, factor);
                sum = pool.add(sum, product);
            }
        }
        let remainder = pool.srem(sum, ten);
        let missing = pool.sub(ten, remainder);
        let check = pool.srem(missing, ten);
        (path, goal(pool, check, last))
    })
}

#[test]
fn check_digits_are_found_by_sums() {
    let mut right = check_digit(b"9780131103620", |pool, check, last| pool.eq(check, last));
    let Answer::Sat(text) = right.solve_with(Rung::Sums) else { panic!() };
    assert_eq!(text, b"9780131103627", "only the check digit has to change");
    let mut wrong = check_digit(b"9780131103627", |pool, check, last| pool.ne(check, last));
    assert!(matches!(wrong.solve_with(Rung::Sums), Answer::Sat(_)));
    // A check digit is less than ten.
    let mut large = check_digit(b"9780131103627", |pool, check, _| {
        let nine = pool.constant(32, 9);
        pool.slt(nine, check)
    });
    assert!(matches!(large.solve_with(Rung::Sums), Answer::Unsat(_)));
}

#[test]
fn sums_may_wrap_around() {
    let build = |wanted: u128| {
        Case::new(&[0; 5], |pool| {
            let bytes: Vec<Expr> = (0..5).map(|i| pool.input(i, 1)).collect();
            let (bound, wanted) = (pool.constant(8, 70), pool.constant(8, wanted));
            let path = bytes.iter().map(|&byte| pool.ult(byte, bound)).collect();
            let sum = bytes[1..].iter().fold(bytes[0], |sum, &byte| pool.add(sum, byte));
            (path, pool.eq(sum, wanted))
        })
    };
    // Five numbers of up to 69 make up to 345, which is 89 modulo 256.
    for wanted in [0, 80, 200, 255] {
        assert!(matches!(build(wanted).solve_with(Rung::Sums), Answer::Sat(_)), "{wanted}");
    }
}

/// A scanner driven by tables reads a text: the next state is looked up by the state and the class of the next byte. It
/// accepts `a` digits `b`, and state 3 is that of accepted texts.
fn scanner(length: u32, goal: u128) -> Case {
    const CLASSES: u128 = 4;
    const NEXT: [u128; 16] = [1, 4, 4, 4, 4, 2, 4, 4, 4, 2, 3, 4, 4, 4, 4, 4];
    let class = |byte: u32| match byte {
        0x61 => 0,
        0x30..=0x39 => 1,
        0x62 => 2,
        _ => 3,
    };
    let mut current = vec![b'1'; length as usize];
    current[0] = b'a';
    Case::new(&current, |pool| {
        let classes: Vec<Expr> = (0..256).map(|byte| pool.constant(32, class(byte))).collect();
        let classes = pool.table(&classes);
        let next: Vec<Expr> = NEXT.iter().chain(&[4; 4]).map(|&state| pool.constant(32, state)).collect();
        let next = pool.table(&next);
        let mut state = pool.constant(32, 0);
        let mut path = Vec::new();
        for at in 0..length {
            let byte = pool.input(at, 1);
            let byte = pool.zext(byte, 64);
            let class = pool.select(classes, byte);
            let (width, row) = (pool.constant(64, CLASSES), pool.zext(state, 64));
            let row = pool.mul(row, width);
            let class = pool.zext(class, 64);
            let index = pool.add(row, class);
            state = pool.select(next, index);
            if at + 1 < length {
                let failed = pool.constant(32, 4);
                path.push(pool.ne(state, failed));
            }
        }
        let accepted = pool.constant(32, goal);
        (path, pool.eq(state, accepted))
    })
}

#[test]
fn scanners_are_decided_by_layers() {
    let Answer::Sat(text) = scanner(9, 3).solve_with(Rung::Layers) else { panic!("some text is accepted") };
    assert_eq!((text[0], text[8]), (b'a', b'b'));
    assert!(text[1..8].iter().all(u8::is_ascii_digit), "{text:?}");
    // No text of several letters leads to the state after the first.
    assert!(matches!(scanner(9, 1).solve_with(Rung::Layers), Answer::Unsat(_)));
    assert_eq!(scanner(9, 1).answered_by(), Rung::Layers);
}

/// The effort is counted, so a hard question is left undecided in every run, and is decided with more effort.
#[test]
fn effort_limits_a_question() {
    let mut case = Case::new(&[2, 0, 0, 0, 3, 0, 0, 0], |pool| {
        let (a, b) = (pool.input(0, 4), pool.input(4, 4));
        let (a, b) = (pool.zext(a, 64), pool.zext(b, 64));
        let (product, one) = (pool.mul(a, b), pool.constant(64, 1));
        let number = pool.constant(64, 65_537 * 65_539);
        let path = vec![pool.ult(one, a), pool.ult(a, b)];
        (path, pool.eq(product, number))
    });
    let mut solver = solver(RungSet::none().with(Rung::Smt));
    solver.set_effort(Some(1));
    for _ in 0..2 {
        let answer = case.solve(&mut solver);
        assert_eq!(answer, Answer::Unknown(UnknownReason::Backend(BackendReason::Effort)));
    }
    solver.set_effort(None);
    assert!(matches!(case.solve(&mut solver), Answer::Sat(_)));
    assert!(solver.statistics().backend_effort > 1);
}

/// A search that finds nothing takes long, so with a limited effort it evaluates less, and the question may be asked
/// again.
#[test]
fn effort_limits_the_search_by_evaluation() {
    let mut case = Case::new(&1f64.to_le_bytes(), |pool| {
        let x = pool.input(0, 8);
        let sine = pool.native(NativeFn::Sin, &[x]);
        let two = pool.constant(64, 2f64.to_bits().into());
        (Vec::new(), pool.float_cmp(FloatCmp::GREATER, sine, two))
    });
    let mut solver = solver(RungSet::none().with(Rung::Smt).with(Rung::Walk));
    solver.set_effort(Some(100));
    assert_eq!(case.solve(&mut solver), Answer::Unknown(UnknownReason::Backend(BackendReason::Effort)));
    let limited = solver.statistics().evaluated;
    solver.set_effort(None);
    assert_eq!(case.solve(&mut solver), Answer::Unknown(UnknownReason::Native("sin")));
    assert!(solver.statistics().evaluated > 3 * limited, "{limited} of {}", solver.statistics().evaluated);
}
