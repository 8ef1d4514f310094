//! Seeds: inputs that are followed first, and what is said about those that cannot be used.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::fs;

use workbench::Workbench;

/// No solver finds the input: the hash of the data must be that of the seed.
const HARNESS: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t hash = 14695981039346656037ull;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 1099511628211ull;
  if (hash == 0xa430d84680aabd0bull) abort();
  return 0;
}
"#;

/// FNV-1a of `hello` is the constant above.
const SEED: &[u8] = b"hello";

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("fuzz.c", HARNESS);
    fs::create_dir(bench.path("corpus")).unwrap();
    fs::write(bench.path("corpus/seed"), SEED).unwrap();
    bench
}

#[test]
fn the_corpus_of_a_fuzzer_is_followed_first() {
    let bench = bench();
    let done = bench.secateur(&["run", "fuzz.c", "--seeds", "corpus", "--max-paths", "2", "--jobs", "1"]);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(
        done.stdout.contains("fuzz.c:7: abort") && done.stdout.contains("1 seed, 1 on paths of their own"),
        "{done}"
    );
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!((&summary["seeds"]["given"], &summary["seeds"]["followed"]), (&1.into(), &1.into()), "{summary}");
}

/// The output folder of the earlier run is replaced, and still its tests are seeds.
#[test]
fn the_tests_of_an_earlier_run_are_seeds_in_every_format() {
    for format in ["ktest", "xml", "raw"] {
        let bench = bench();
        let run = ["run", "fuzz.c", "--max-paths", "2", "--jobs", "1", "--format", format, "--seeds"];
        bench.secateur(&[&run[..], &["corpus"]].concat());
        let done = bench.secateur(&[&run[..], &["secateur-out"]].concat());
        assert_eq!(done.code, Some(10), "{format}: {done}");
        let done = bench.secateur(&[&run[..], &["secateur-out/bugs", "--out", "other"]].concat());
        assert_eq!(done.code, Some(10), "{format}: {done}");
    }
}

#[test]
fn seeds_that_cannot_be_used_are_counted() {
    let bench = bench();
    for name in ["empty-1", "empty-2"] {
        fs::write(bench.path("corpus").join(name), "").unwrap();
    }
    let done = bench.secateur(&["run", "fuzz.c", "--seeds", "corpus", "--max-paths", "2", "--jobs", "1", "--quiet"]);
    assert_eq!(done.code, Some(10), "{done}");
    let expected = "secateur: 2 seeds are not used, corpus/empty-1 the first: it is empty\n";
    assert_eq!(done.stderr, expected, "{done}");
    let done = bench.secateur(&["run", "fuzz.c", "--seeds", "nowhere"]);
    assert_eq!(done.code, Some(1), "{done}");
    assert_eq!(done.stderr, "secateur: cannot read nowhere: there is no such file or folder\n", "{done}");
}

/// Nothing in the folder is followed or waited for but regular files of reasonable size, and the good seed is not lost.
#[test]
fn what_is_no_seed_is_named_and_the_others_are_used() {
    let bench = bench();
    let corpus = bench.path("corpus");
    fs::File::create(corpus.join("huge")).and_then(|file| file.set_len(17 << 20)).unwrap();
    fs::create_dir_all(corpus.join("folder/empty")).unwrap();
    fs::write(corpus.join("folder/bare"), "").unwrap();
    std::os::unix::fs::symlink("/dev/zero", corpus.join("link")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(corpus.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let done = bench.secateur(&["run", "fuzz.c", "--seeds", "corpus", "--max-paths", "2", "--jobs", "1", "--quiet"]);
    assert_eq!(done.code, Some(10), "{done}");
    let mut said: Vec<&str> = done.stderr.lines().collect();
    said.sort_unstable();
    let expected = [
        "secateur: 2 seeds are not used, corpus/link the first: it is a link, a pipe or a device, not a regular file",
        "secateur: the seed corpus/folder/bare is not used: it is empty",
        "secateur: the seed corpus/huge is not used: it is larger than 16 MB",
    ];
    assert_eq!(said, expected, "{done}");
}

/// A large corpus is reduced to what covers the same branches natively.
#[test]
fn many_seeds_are_reduced_natively() {
    let bench = bench();
    for number in 0..200 {
        fs::write(bench.path("corpus").join(format!("{number:03}")), format!("{number:05}")).unwrap();
    }
    let done = bench.secateur(&["run", "fuzz.c", "--seeds", "corpus", "--max-paths", "3", "--jobs", "1"]);
    assert_eq!(done.code, Some(10), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!((&summary["seeds"]["given"], &summary["seeds"]["kept"]), (&201.into(), &2.into()), "{summary}");
}

/// A plain file is the standard input, if that is all that is symbolic.
#[test]
fn a_plain_file_is_standard_input() {
    let bench = Workbench::new();
    let program = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {\n\
                   char line[8] = {0};\n if (fread(line, 1, 6, stdin) == 6 && !strcmp(line, \"secret\")) abort();\n}\n";
    bench.write("prog.c", program);
    fs::create_dir(bench.path("corpus")).unwrap();
    fs::write(bench.path("corpus/seed"), "secret").unwrap();
    let run = ["run", "prog.c", "--sym-stdin", "6", "--max-paths", "2", "--jobs", "1", "--seeds", "corpus"];
    let done = bench.secateur(&run);
    assert_eq!(done.code, Some(10), "{done}");
    let done = bench.secateur(&["run", "prog.c", "--sym-args", "0", "1", "2", "--seeds", "corpus"]);
    assert!(done.stderr.contains("the seed corpus/seed is not used: it is neither"), "{done}");
}
