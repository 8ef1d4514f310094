//! Lowered code means what the natively compiled program means.

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
