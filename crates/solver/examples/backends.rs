//! Measures the SMT backends on questions as an explorer asks them: a path grows by one condition at a time, and each
//! condition is flipped in turn. `cargo run --release -p secateur-solver --example backends [PATHS] [LENGTH]`

use std::time::{Duration, Instant};

use secateur_expr::{Expr, Pool, Valuation};
use secateur_solver::{BackendAnswer, BackendKind, Deadline, Options, SolverError, backend};

fn main() -> Result<(), SolverError> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (paths, length) = (arguments.next().unwrap_or(20), arguments.next().unwrap_or(20));
    println!(
        "{:10} {:12} {:>8} {:>6} {:>6} {:>12} {:>12}",
        "backend", "conditions", "queries", "sat", "unsat", "mean", "worst"
    );
    for kind in BackendKind::ALL {
        for (name, condition) in FAMILIES {
            let mut pool = Pool::new();
            let mut backend = backend(kind, &Options::default())?;
            let mut random = Random(1);
            let (mut times, mut sat, mut unsat) = (Vec::new(), 0, 0);
            for _ in 0..paths {
                let mut valuation = Valuation::new((0..40).map(|_| random.below(256) as u8).collect());
                let mut path: Vec<Expr> = Vec::new();
                for _ in 0..length {
                    let holds = condition(&mut pool, &mut random);
                    let holds = if valuation.holds(&pool, holds) { holds } else { pool.not(holds) };
                    let flipped = pool.not(holds);
                    path.push(flipped);
                    let start = Instant::now();
                    match backend.check(&pool, &path, &Deadline::lasting(Duration::from_secs(10)))? {
                        BackendAnswer::Sat(_) => sat += 1,
                        BackendAnswer::Unsat { .. } => unsat += 1,
                        BackendAnswer::Unknown(reason) => println!("unknown: {reason}"),
                    }
                    times.push(start.elapsed());
                    path.pop();
                    path.push(holds);
                }
            }
            let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
            let worst = times.iter().max().copied().unwrap_or_default();
            let queries = times.len();
            println!("{:10} {name:12} {queries:8} {sat:6} {unsat:6} {mean:>12.1?} {worst:>12.1?}", backend.name());
        }
    }
    Ok(())
}

/// Makes a random condition over the ten words of the input.
type Condition = fn(&mut Pool, &mut Random) -> Expr;

const FAMILIES: [(&str, Condition); 4] =
    [("order", order), ("arithmetic", arithmetic), ("look-ups", lookup), ("floats", floats)];

fn order(pool: &mut Pool, random: &mut Random) -> Expr {
    let (a, b) = (word(pool, random), word(pool, random));
    pool.slt(a, b)
}

fn arithmetic(pool: &mut Pool, random: &mut Random) -> Expr {
    let (a, b, c) = (word(pool, random), word(pool, random), word(pool, random));
    let (k, sum) = (pool.constant(32, random.below(1000).into()), pool.add(a, b));
    let scaled = pool.mul(sum, k);
    if random.below(2) == 0 { pool.slt(scaled, c) } else { pool.ult(sum, scaled) }
}

fn lookup(pool: &mut Pool, random: &mut Random) -> Expr {
    let elements: Vec<Expr> = (0..256u32).map(|i| pool.constant(32, (i * i % 251).into())).collect();
    let table = pool.table(&elements);
    let mut read = || {
        let byte = pool.input(random.below(40), 1);
        let index = pool.zext(byte, 64);
        pool.select(table, index)
    };
    let (a, b) = (read(), read());
    let sum = pool.add(a, b);
    let limit = pool.constant(32, random.below(500).into());
    pool.ult(sum, limit)
}

fn floats(pool: &mut Pool, random: &mut Random) -> Expr {
    use secateur_expr::{FloatCast, FloatCmp, FloatOp};
    let mut float = || {
        let word = word(pool, random);
        pool.float_cast(FloatCast::FromSigned, word, 32)
    };
    let (a, b, c) = (float(), float(), float());
    let sum = pool.float(FloatOp::Add, a, b);
    pool.float_cmp(FloatCmp::LESS, sum, c)
}

fn word(pool: &mut Pool, random: &mut Random) -> Expr {
    pool.input(4 * random.below(10), 4)
}

/// Pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % limit
    }
}
