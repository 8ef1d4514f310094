//! Lowered code behaves like the natively compiled program.

mod common;
#[path = "common/vm.rs"]
mod vm;

use common::{LEVELS, Source, load_verified, unsupported};
use secateur_program::LoadOptions;
use std::path::PathBuf;
use std::process::Command;
use vm::Vm;

fn check(name: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let path = folder.join(name);
    let built = Source::new("unused.c", "");
    let native = built.folder().join("native");
    let flags = ["-O0", "-std=gnu23", "-w", "-fno-math-errno", "-lm"];
    let done = Command::new("clang-19").arg(&path).args(flags).arg("-o").arg(&native).status();
    assert!(done.expect("clang-19 is installed").success());
    let output = Command::new(&native).output().expect("it was just built");
    let text = String::from_utf8(output.stdout).expect("it prints numbers");
    let expected: Vec<u64> = text.lines().map(|line| u64::from_str_radix(line, 16).expect("a number")).collect();
    assert!(!expected.is_empty());
    for opt_level in LEVELS {
        for vectorize in [false, true] {
            let mut cflags: Vec<String> = ["-std=gnu23", "-w", "-fno-math-errno"].map(str::to_string).into();
            if vectorize {
                cflags.extend(["-fvectorize".to_string(), "-fslp-vectorize".to_string()]);
            }
            let options = LoadOptions { inputs: vec![path.clone()], opt_level, cflags, ..LoadOptions::default() };
            let loaded = load_verified(&options).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(unsupported(&loaded), Vec::<String>::new(), "{opt_level:?}");
            let mut vm = Vm::new(&loaded.program);
            vm.call(loaded.program.function("run").expect("it has `run`"), &[]);
            let words = vm.global("out").chunks_exact(8);
            let words = words.map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
            for (index, (got, want)) in words.zip(&expected).enumerate() {
                assert_eq!(got, *want, "{name} {opt_level:?} vectorize {vectorize}: value {index}");
            }
        }
    }
}

#[test]
fn integers() {
    check("integers.c");
}

#[test]
fn floats() {
    check("floats.c");
}

#[test]
fn memory() {
    check("memory.c");
}

#[test]
fn vectors() {
    check("vectors.c");
}

#[test]
fn huge_integers() {
    check("huge.c");
}

/// Programs of the generator `csmith`, whose headers are in the folder `CSMITH_INCLUDE`, with as many seeds as
/// `CSMITH_SEEDS` says.
#[test]
#[ignore = "takes minutes, and needs csmith; for `make test-long`"]
fn random_programs() {
    let include = std::env::var("CSMITH_INCLUDE").expect("CSMITH_INCLUDE names the folder of csmith.h");
    let seeds: u64 = std::env::var("CSMITH_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    for seed in 1..=seeds {
        let made = Command::new("csmith").args(["--seed", &seed.to_string()]).output().expect("csmith is installed");
        let source = Source::new("random.c", &String::from_utf8_lossy(&made.stdout));
        let native = source.clang(&["-O1", "-w", &format!("-I{include}")], "native");
        let limited = Command::new("timeout").arg("2").arg(native).output().expect("it was just built");
        let text = String::from_utf8_lossy(&limited.stdout);
        // Some of these programs never end.
        let Some(sum) = text.trim().strip_prefix("checksum = ") else { continue };
        let expected = u64::from_str_radix(sum, 16).expect("a checksum");
        for opt_level in LEVELS {
            let cflags = vec!["-w".to_string(), format!("-I{include}")];
            let loaded = load_verified(&LoadOptions { opt_level, cflags, ..source.options() });
            let loaded = loaded.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(unsupported(&loaded), Vec::<String>::new(), "seed {seed}");
            let mut vm = Vm::new(&loaded.program);
            let main = loaded.program.entry.expect("it has a main");
            vm.call(main, &[1, 0][..loaded.program.functions[main.index()].params.len()]);
            assert_eq!(vm.printed, expected, "seed {seed} {opt_level:?}");
        }
    }
}
