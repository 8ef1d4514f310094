//! Compares float operations with the processor: a compiled C program does the same operations on the same bits, and
//! must compute the same results.

use std::io::Write;
use std::process::{Command, Stdio};

use secateur_expr::{FloatCast, FloatCmp, FloatOp, FloatUnOp, Pool, Rounding, Valuation, float};

/// Bits that are interesting as a `double`, as a `float` (the low half), or both.
fn patterns() -> Vec<u64> {
    let mut patterns: Vec<u64> = Vec::new();
    let doubles = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        3.7,
        255.0,
        256.0,
        65535.9,
        2147483647.0,
        2147483647.9,
        2147483648.0,
        2147483649.0,
        4294967295.0,
        4294967296.0,
        9.223372036854775e18,
        9223372036854775808.0,
        1.2e19,
        1.8446744073709552e19,
        1e300,
        f64::INFINITY,
        5e-324,
        f64::MIN_POSITIVE,
        0.1,
        16777217.0,
        9007199254740993.0,
    ];
    for value in doubles {
        for signed in [value, -value] {
            patterns.push(signed.to_bits());
            patterns.push(u64::from((signed as f32).to_bits()) | 0x4320_0000_0000_0000);
        }
    }
    // Quiet and signalling NaNs of both formats, with payloads.
    patterns.extend([0x7ff8_0000_0000_0000, 0xfff8_1234_0000_5678, 0x7ff0_0000_0000_0001, 0xfff0_1000_2000_3000]);
    patterns.extend([0x7fc0_0000, 0xffc1_2345, 0x7f80_0001, 0xff92_3456].map(|low: u64| low | 0x3ff0_0000_0000_0000));
    patterns.extend([1, 2, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0x8000_0000_0000_0001, 0x0102_0304_0506_0708]);
    patterns
}

/// The expected output of the C program.
fn expected(x: u64, y: u64) -> Vec<u64> {
    let mut out = Vec::new();
    let (a, b) = (x & 0xffff_ffff, y & 0xffff_ffff);
    for (width, value) in [(32, a), (64, x)] {
        out.extend([8, 16, 32, 64].map(|to| float::cast(FloatCast::ToSigned, width, to, value)));
        out.extend([8, 16, 32, 64].map(|to| float::cast(FloatCast::ToUnsigned, width, to, value)));
    }
    for (width, left, right) in [(32, a, b), (64, x, y)] {
        let operations = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
        out.extend(operations.map(|op| float::binary(op, width, left, right)));
    }
    out.extend([float::cast(FloatCast::Float, 32, 64, a), float::cast(FloatCast::Float, 64, 32, x)]);
    for op in [FloatCast::FromSigned, FloatCast::FromUnsigned] {
        out.extend([32, 64].map(|to| float::cast(op, 64, to, x)));
    }
    for (width, left, right) in [(32, a, b), (64, x, y)] {
        let at_most = FloatCmp { less: true, ..FloatCmp::EQUAL };
        let comparisons = [FloatCmp::LESS, at_most, FloatCmp::EQUAL, FloatCmp::EQUAL.negated()];
        out.extend(comparisons.map(|cmp| u64::from(float::compare(cmp, width, left, right))));
    }
    out.extend([float::unary(FloatUnOp::Sqrt, 32, a), float::unary(FloatUnOp::Sqrt, 64, x)]);
    out.extend([float::unary(FloatUnOp::Neg, 32, a), float::unary(FloatUnOp::Neg, 64, x)]);
    out
}

/// The same for the C program that changes the rounding mode.
fn rounded(x: u64, y: u64) -> Vec<u64> {
    let mut out = Vec::new();
    let (a, b) = (x & 0xffff_ffff, y & 0xffff_ffff);
    for mode in Rounding::ALL {
        let operations = |width, x, y| {
            let binary = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
            let mut results = binary.map(|op| float::binary_in(mode, op, width, x, y)).to_vec();
            results.extend([FloatUnOp::Sqrt, FloatUnOp::Rint].map(|op| float::unary_in(mode, op, width, x)));
            let fused = float::fused_mul_add_in(mode, width, x, y, x);
            results.push(if float::Format::of(width).is_nan(fused) { 0 } else { fused });
            results
        };
        let casts = |to, other| {
            let integers = [64, 32].map(|from| float::cast_in(mode, FloatCast::FromSigned, from, to, x));
            [float::cast_in(mode, FloatCast::Float, 96 - to, to, other), integers[0], integers[1]]
        };
        let singles = operations(32, a, b).into_iter().chain(casts(32, x));
        let doubles = operations(64, x, y).into_iter().chain(casts(64, a));
        out.extend(singles.zip(doubles).flat_map(|(single, double)| [single, double]));
    }
    out
}

#[test]
#[cfg(target_arch = "x86_64")]
fn compiled_code_computes_the_same_bits() {
    compare_with("floats.c", expected);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn compiled_code_rounds_the_same_in_every_mode() {
    compare_with("rounding.c", rounded);
}

/// Compares with the output of a C program for pairs of bits.
fn compare_with(source: &str, expected: fn(u64, u64) -> Vec<u64>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("floats");
    let source = format!("{}/tests/native/{source}", env!("CARGO_MANIFEST_DIR"));
    let compiler = std::env::var("CLANG").unwrap_or_else(|_| "clang-19".to_string());
    let status = Command::new(compiler).args(["-O0", "-o"]).arg(&program).args([&source, "-lm"]).status();
    assert!(status.expect("clang-19 runs").success(), "the C program compiles");

    let patterns = patterns();
    let pairs: Vec<(u64, u64)> = patterns.iter().flat_map(|&x| patterns.iter().map(move |&y| (x, y))).collect();
    let text: String = pairs.iter().map(|(x, y)| format!("{x:x} {y:x}\n")).collect();
    let input = folder.path().join("input");
    std::fs::File::create(&input).and_then(|mut file| file.write_all(text.as_bytes())).expect("a file of inputs");
    let output = Command::new(&program)
        .stdin(std::fs::File::open(&input).expect("the file just written"))
        .stderr(Stdio::inherit())
        .output()
        .expect("the compiled program runs");
    let output = String::from_utf8(output.stdout).expect("hexadecimal numbers");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), pairs.len());
    for (line, &(x, y)) in lines.iter().zip(&pairs) {
        let native: Vec<u64> =
            line.split_whitespace().map(|word| u64::from_str_radix(word, 16).expect("a number")).collect();
        assert_eq!(native, expected(x, y), "for {x:#x} and {y:#x}");
    }
}

#[test]
fn composed_conversions_agree_with_direct_ones() {
    let mut pool = Pool::new();
    let (single, double) = (pool.input(0, 4), pool.input(0, 8));
    let mut built = Vec::new();
    for (from, e) in [(32, single), (64, double)] {
        for op in [FloatCast::ToSigned, FloatCast::ToUnsigned] {
            for to in [1, 7, 8, 16, 31, 32, 33, 48, 63, 64] {
                built.push((op, from, to, pool.float_cast(op, e, to)));
            }
        }
    }
    for bits in patterns() {
        let mut valuation = Valuation::new(bits.to_le_bytes().to_vec());
        for &(op, from, to, e) in &built {
            let value = if from == 32 { bits & 0xffff_ffff } else { bits };
            assert_eq!(valuation.eval(&pool, e), float::cast(op, from, to, value), "{op:?} of {value:#x} to {to} bits");
        }
    }
}

#[test]
fn minimum_and_maximum_prefer_numbers() {
    let nan = f64::NAN.to_bits();
    let (one, two) = (1.0f64.to_bits(), 2.0f64.to_bits());
    for (op, best) in [(FloatOp::Min, one), (FloatOp::Max, two)] {
        assert_eq!(float::binary(op, 64, one, two), best);
        assert_eq!(float::binary(op, 64, two, one), best);
        assert_eq!(float::binary(op, 64, nan, two), two);
        assert_eq!(float::binary(op, 64, one, nan), one);
    }
}
