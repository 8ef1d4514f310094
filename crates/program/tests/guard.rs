//! Malformed files: loading gives an error, never a crash or a hang.

mod common;

use common::{Source, load_ll, load_verified};
use secateur_program::{LoadError, LoadOptions};

/// A deterministic generator of numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn load_bytes(folder: &Source, name: &str, bytes: &[u8]) -> Result<secateur_program::Loaded, LoadError> {
    let path = folder.folder().join(name);
    std::fs::write(&path, bytes).expect("room for a small file");
    load_verified(&LoadOptions { inputs: vec![path], ..LoadOptions::default() })
}

/// How many mutants to try; `SECATEUR_MUTANTS=10000` for a thorough run.
fn mutants() -> usize {
    std::env::var("SECATEUR_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

const PROGRAM: &str = r#"
#include <string.h>
struct node { struct node *next; int value; char name[6]; } nodes[3] = {{nodes + 1, 1, "a"}, {nodes + 2, 2, "b"}};
static int total(struct node *n) { int s = 0; for (; n; n = n->next) s += n->value; return s; }
static double mean(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s / n; }
int main(int argc, char **argv) {
  double d[4] = {1, 2, 3, argc};
  char copy[32];
  strncpy(copy, argv[0], 31);
  switch (argc) { case 1: return total(nodes); case 2: case 5: return (int)mean(d, 4); default: return copy[argc & 15]; }
}
"#;

#[test]
fn random_bytes_are_not_bitcode() {
    let folder = Source::new("unused.c", "");
    let mut random = Random(0x5eca_7e02);
    for length in [0, 1, 3, 4, 100, 5000] {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        assert!(matches!(load_bytes(&folder, "random.bc", &bytes), Err(LoadError::NotBitcode { .. })));
        // With the right magic number, parsing gets further.
        if let Some(magic) = bytes.get_mut(..4) {
            magic.copy_from_slice(b"BC\xc0\xde");
            assert!(matches!(load_bytes(&folder, "random.bc", &bytes), Err(LoadError::NotBitcode { .. })));
        }
    }
}

#[test]
fn mutated_bitcode_loads_or_is_refused() {
    for (level, seed) in [("-O0", 1), ("-O2", 2)] {
        let source = Source::new("program.c", PROGRAM);
        let bitcode = std::fs::read(source.clang(&["-c", "-emit-llvm", "-g", level], "out.bc")).expect("just written");
        let mut random = Random(seed);
        for _ in 0..mutants() {
            let mut mutant = bitcode.clone();
            match random.below(4) {
                0 => mutant.truncate(random.below(bitcode.len())),
                1 => {
                    let from = random.below(bitcode.len());
                    mutant.drain(from..(from + 1 + random.below(16)).min(bitcode.len()));
                }
                _ => {
                    for _ in 0..1 + random.below(8) {
                        let at = random.below(mutant.len());
                        mutant[at] ^= 1 << random.below(8);
                    }
                }
            }
            // Either outcome is right, as long as we get here.
            let _ = load_bytes(&source, "mutant.bc", &mutant);
        }
    }
}

#[test]
fn mutated_text_loads_or_is_refused() {
    let source = Source::new("program.c", PROGRAM);
    let text = std::fs::read(source.clang(&["-S", "-emit-llvm", "-O1"], "out.ll")).expect("just written");
    let words: Vec<&[u8]> = text.split_inclusive(|byte| byte.is_ascii_whitespace()).collect();
    let mut random = Random(3);
    for _ in 0..mutants() {
        let mut mutant = words.clone();
        for _ in 0..1 + random.below(3) {
            let (a, b) = (random.below(words.len()), random.below(words.len()));
            match random.below(3) {
                0 => mutant.swap(a, b),
                1 => mutant[a] = words[b],
                _ => mutant[a] = b"",
            }
        }
        let _ = load_bytes(&source, "mutant.ll", &mutant.concat());
    }
}

#[test]
fn odd_but_valid_code_is_lowered() {
    let loaded = load_ll(
        r#"
        @big = global i16384 5
        @huge = external global [100 x i999]
        define i16384 @wide(i16384 %a) { ret i16384 %a }
        define i32 @main() {
          %x = alloca i3
          store i3 2, ptr %x
          %v = load i3, ptr %x
          %s = sext i3 %v to i71
          %m = mul i71 %s, %s
          %t = trunc i71 %m to i32
          switch i71 %m, label %a [ i71 4, label %b i71 5, label %b i71 -1, label %a ]
        a:
          %w = call i16384 @wide(i16384 7)
          ret i32 0
        b:
          ret i32 %t
        dead:
          %d = add i32 %d, 1
          %e = freeze i32 %f
          %f = freeze i32 %e
          br label %dead
        }
        "#,
    );
    let error = loaded.expect_err("an integer of 16,384 bits in memory is too much");
    assert_eq!(error.to_string(), "cannot load the global variable `big`: integer of type `i16384`");
}

#[test]
fn a_file_for_another_machine_is_refused() {
    let error = load_ll("target triple = \"aarch64-unknown-linux-gnu\"\ndefine i32 @main() { ret i32 0 }").unwrap_err();
    assert!(error.to_string().contains("it is for aarch64-unknown-linux-gnu, not for x86-64 Linux"), "{error}");
    let error = load_ll("target datalayout = \"E-p:32:32\"\ndefine i32 @main() { ret i32 0 }").unwrap_err();
    assert!(matches!(error, LoadError::Target { .. }), "{error}");
}

#[test]
fn a_time_limit_is_reported() {
    let folder = Source::new("unused.c", "");
    let path = folder.folder().join("slow.ll");
    std::fs::write(&path, "define i32 @main() {\n  ret i32 0\n}\n").expect("room for a small file");
    let options =
        LoadOptions { inputs: vec![path], timeout: Some(std::time::Duration::ZERO), ..LoadOptions::default() };
    let error = load_verified(&options).expect_err("no time is too little");
    assert!(error.to_string().contains("within 0ns; allow more time with --load-timeout"), "{error}");
}

#[test]
fn other_systems_are_refused() {
    for target in
        ["x86_64-pc-windows-msvc19.33.0", "x86_64-apple-macosx10.4.0", "i386-pc-linux-gnu", "x86_64h-apple-ios"]
    {
        let code = format!("target triple = \"{target}\"\ndefine i32 @main() {{\n  ret i32 0\n}}\n");
        let error = load_ll(&code).expect_err("it is for another system");
        assert!(error.to_string().contains(&format!("it is for {target}, not for x86-64 Linux")), "{error}");
    }
    for target in
        ["x86_64-pc-linux-gnu", "x86_64-unknown-linux-musl", "x86_64-unknown-unknown", "x86_64-none-elf", "x86_64"]
    {
        let code = format!("target triple = \"{target}\"\ndefine i32 @main() {{\n  ret i32 0\n}}\n");
        load_ll(&code).expect("it is for this system");
    }
}
