//! `secateur cc`: what it builds behaves as what clang builds, and can be explored wherever the objects end up.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::fs;
use std::process::Command;

use workbench::{Done, Workbench};

/// A program of two files, with a bug behind a function of the second.
const MAIN: &str = r#"#include <math.h>
#include <stdio.h>
int weigh(const char *text);
int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  int weight = weigh(argv[1]);
  if (floor(weight / 2.0) == 48.0)
    weight = *(volatile int *)0;
  printf("%d\n", weight);
  return 0;
}
"#;
const WEIGH: &str = "int weigh(const char *text) {\n  return text[0] == 'h' ? text[1] : 0;\n}\n";

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("main.c", MAIN);
    bench.write("weigh.c", WEIGH);
    bench
}

/// Runs a shell script in which `$CC` is our compiler. It must succeed, and print nothing unless `quiet` is off.
#[track_caller]
fn sh(bench: &Workbench, script: &str) -> Done {
    let secateur = bench.command(&[]);
    let mut command = Command::new("sh");
    command.args(["-ec", script]).current_dir(bench.path("."));
    command.envs(secateur.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("CC", format!("{} cc", secateur.get_program().display()));
    let done = bench.finish(command);
    assert_eq!(done.code, Some(0), "{script}\n{done}");
    done
}

/// Explores what was built: it has the bug of `MAIN`, which the native program confirms.
#[track_caller]
fn explore(bench: &Workbench, files: &[&str]) {
    let args = [&["run", "--sym-args", "0", "1", "2"], files].concat();
    let done = bench.secateur(&args);
    assert_eq!(done.code, Some(10), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    let bug = &summary["bugs"][0];
    assert_eq!(
        (&bug["kind"], &bug["line"], &bug["native"]),
        (&"null-pointer".into(), &9.into(), &"AddressSanitizer: SEGV".into())
    );
    assert_eq!(summary["bugs"].as_array().map(Vec::len), Some(1), "{done}");
    let file = bug["file"].as_str().unwrap_or_default();
    assert!(file.ends_with("main.c") || file.ends_with("<stdin>"), "{file}");
    let replay = bench.secateur(&["replay"]);
    assert_eq!(replay.code, Some(0), "{replay}");
}

/// The sentence with which a file is refused.
#[track_caller]
fn refusal(bench: &Workbench, file: &str) -> String {
    let done = bench.secateur(&["run", file]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), ""), "{done}");
    assert!(!bench.path("secateur-out").exists());
    done.stderr
}

/// The linker makes `weigh` mean `__wrap_weigh`, and `heavy` mean `weigh`; replay must agree with the machine.
#[test]
fn symbols_that_mean_others_are_followed() {
    let bench = bench();
    let wrap = "int __real_weigh(const char *text);\nint heavy(const char *text);\n\
                int __wrap_weigh(const char *text) {\n  return text[0] == '+' ? 1 + heavy(text + 1) : __real_weigh(text);\n}\n";
    bench.write("wrap.c", wrap);
    sh(
        &bench,
        "$CC -c main.c weigh.c wrap.c; $CC main.o weigh.o wrap.o -lm -Wl,--wrap=weigh,--defsym=heavy=weigh -o prog",
    );
    let native = sh(&bench, "./prog hi; ./prog +hi");
    assert_eq!(native.stdout, "105\n106\n");
    let done = bench.secateur(&["run", "prog", "--arg", "+hi", "--show-output", "--all-tests"]);
    assert!(done.stdout.contains("[1] 106\n"), "{done}");
    let replay = bench.secateur(&["replay"]);
    assert_eq!(replay.code, Some(0), "{replay}");
}

#[test]
fn one_command_compiles_and_links() {
    let bench = bench();
    let done = sh(&bench, "$CC -O1 main.c weigh.c -o prog -lm; ./prog hi");
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("105\n", ""));
    explore(&bench, &["prog"]);
}

#[test]
fn make_with_an_archive() {
    let bench = bench();
    bench.write(
        "Makefile",
        "CFLAGS = -O2 -Wall -Werror -MMD -MF $@.d\nLDLIBS = -lm\nprog: main.o libweigh.a\n\t$(CC) $^ $(LDLIBS) -o $@\n\
         libweigh.a: weigh.o\n\tar rcs $@ $^\n",
    );
    sh(&bench, "make -s CC=\"$CC\"");
    assert!(String::from_utf8_lossy(&bench.read("main.o.d")).starts_with("main.o: main.c"));
    explore(&bench, &["prog"]);
    // The archive gives what the object needs.
    explore(&bench, &["main.o", "libweigh.a"]);
}

#[test]
fn partial_linking_and_thin_archives() {
    let bench = bench();
    sh(
        &bench,
        "$CC -c main.c weigh.c; ld -r main.o weigh.o -o both.o; ar rcsT thin.a weigh.o; $CC -r main.o weigh.o -o cc.o",
    );
    for files in [&["both.o"][..], &["cc.o"], &["main.o", "thin.a"], &["main.c", "weigh.o"]] {
        explore(&bench, files);
    }
}

#[test]
fn a_program_and_its_shared_object() {
    let bench = bench();
    // Of the two functions `hidden`, each file has its own.
    bench.write("hidden.c", "__attribute__((visibility(\"hidden\"))) int hidden(void) { return 'h'; }\n");
    bench.write(
        "weigh.c",
        "int hidden(void);\nint weigh(const char *text) {\n  return text[0] == hidden() ? text[1] : 0;\n}\n",
    );
    bench.write("other.c", "int hidden(void) { return 1; }\n");
    sh(
        &bench,
        "mkdir lib; $CC -shared -fPIC weigh.c hidden.c -o lib/libweigh.so\n\
         $CC main.c other.c -Llib -lweigh -lm -Wl,-rpath,'$ORIGIN/lib' -o prog; ./prog hi",
    );
    explore(&bench, &["prog"]);
    explore(&bench, &["main.c", "lib/libweigh.so"]);
}

#[test]
fn linkers_that_collect_garbage_and_strip_keep_bitcode() {
    let bench = bench();
    sh(&bench, "$CC -ffunction-sections main.c weigh.c -o prog -lm -Wl,--gc-sections -s; strip prog");
    explore(&bench, &["prog"]);
}

#[test]
fn a_library_of_the_system_is_linked_for_replay() {
    let bench = bench();
    // The library is outside of the program, so its function is missing in the engine, and there natively.
    bench.write("far.c", "int far_away(int x) { return x + 1; }\n");
    bench.write(
        "main.c",
        "int far_away(int);\nint main(int argc, char **argv) {\n  return argc > 1 ? far_away(4) : 0;\n}\n",
    );
    sh(&bench, "cc -shared -fPIC far.c -o libfar.so; $CC main.c -L. -lfar -o prog");
    let done = bench.secateur(&["run", "prog", "--sym-args", "0", "1", "1"]);
    assert_eq!(done.code, Some(0), "{done}");
    let stored = bench.json("secateur-out/program.json");
    let folder = bench.path(".").canonicalize().unwrap();
    assert_eq!(stored["libraries"], serde_json::json!([format!("-L{}", folder.display()), "-lfar"]));
    let replay = bench.secateur(&["replay"]);
    assert_eq!(replay.code, Some(0), "{replay}");
    // Without the library, everything else can still be replayed.
    fs::remove_file(bench.path("libfar.so")).unwrap();
    fs::remove_dir_all(bench.path("secateur-out/.replay")).unwrap();
    let replay = bench.secateur(&["replay"]);
    assert_eq!(replay.code, Some(0), "{replay}");
}

#[test]
fn unusual_command_lines() {
    let bench = bench();
    fs::create_dir(bench.path("a b")).unwrap();
    fs::rename(bench.path("weigh.c"), bench.path("a b/we igh.c")).unwrap();
    bench.write("arguments", "-c 'a b/we igh.c' -o \"we igh.o\"");
    sh(
        &bench,
        "$CC @arguments\n\
         $CC -x c -c - -o main.o < main.c\n\
         $CC main.o 'we igh.o' -lm -o first\n\
         $CC -c -o - main.c > copy.o\n\
         $CC copy.o 'we igh.o' -lm -o 'se cond'\n\
         $CC -flto -O2 -lm -o third -- main.c 'a b/we igh.c'\n\
         $CC -E main.c > main.i; $CC -c main.i -o pre.o; $CC pre.o 'we igh.o' -lm -o fourth",
    );
    for program in ["first", "se cond", "third", "fourth"] {
        explore(&bench, &[program]);
    }
}

#[test]
fn what_configure_asks() {
    let bench = bench();
    let same = |arguments: &str| {
        let ours = sh(&bench, &format!("$CC {arguments}"));
        let theirs = sh(&bench, &format!("clang-19 {arguments}"));
        assert_eq!((ours.stdout, ours.stderr), (theirs.stdout, theirs.stderr), "{arguments}");
    };
    for arguments in
        ["--version", "-v", "-dumpmachine", "-print-prog-name=ld", "-E main.c", "-MM main.c", "-S -o - weigh.c"]
    {
        same(arguments);
    }
    same("-c weigh.c -o /dev/null");
    // Messages and exit codes are clang's.
    bench.write("bad.c", "int f( {\n");
    let ours = sh(&bench, "$CC -c bad.c || echo $?");
    let theirs = sh(&bench, "clang-19 -c bad.c || echo $?");
    assert_eq!((ours.stdout, ours.stderr), (theirs.stdout, theirs.stderr));
    assert!(!bench.path("bad.o").exists());
    // Old C compiles, unless it must not.
    bench.write("old.c", "main() { return later(); }\nlater() { return 0; }\n");
    sh(&bench, "$CC -w old.c -o old; ./old; ! $CC --strict -w old.c -o older 2>/dev/null");
    assert!(!bench.path("older").exists());
}

#[test]
fn debug_information_is_added_to_bitcode_only() {
    let bench = bench();
    sh(&bench, "$CC -c weigh.c -o a.o; clang-19 -c weigh.c -o b.o; ! objdump -h a.o | grep debug");
    // What clang has made is all there, and unchanged.
    let sections =
        |file: &str| sh(&bench, &format!("objcopy -R .secateur {file} plain.o; objdump -d -r -t plain.o")).stdout;
    assert_eq!(sections("a.o"), sections("b.o"));
}

#[test]
fn files_without_bitcode_are_named() {
    let bench = bench();
    bench.write("start.S", ".globl start\nstart: ret\n.section .note.GNU-stack,\"\",@progbits\n");
    sh(&bench, "$CC main.c weigh.c start.S -lm -o prog");
    let done = bench.secateur(&["run", "prog", "--sym-args", "0", "1", "2"]);
    let warning = "secateur: prog: there is no bitcode of start.S (assembly)\n";
    assert!(done.stderr.starts_with(warning), "{done}");
}

#[test]
fn optimisation_at_link_time_is_left_out_and_named() {
    let bench = bench();
    let done = sh(&bench, "$CC -flto=auto -O2 -c main.c weigh.c; $CC -flto=auto main.o weigh.o -lm -o prog");
    let message = "secateur cc: -flto=auto is left out, since it would leave no objects to keep bitcode in\n";
    assert_eq!(done.stderr, message);
    explore(&bench, &["prog"]);
}

#[test]
fn functions_of_an_executable() {
    let bench = bench();
    sh(&bench, "$CC main.c weigh.c -lm -o prog; ar rcs all.a");
    let done = bench.secateur(&["run", "prog", "--entry", "weigh"]);
    assert_eq!(done.code, Some(10), "{done}");
    let done = bench.secateur(&["run", "prog", "--each-function"]);
    assert!(done.stdout.contains("\nweigh "), "{done}");
}

#[test]
fn cmake() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("cmake is not installed");
        return;
    }
    let bench = bench();
    bench.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\nproject(prog C)\nadd_library(weigh SHARED weigh.c)\n\
         add_executable(prog main.c)\ntarget_link_libraries(prog weigh m)\n",
    );
    sh(&bench, "cmake -B build . > log 2>&1; cmake --build build > log 2>&1");
    explore(&bench, &["build/prog"]);
}

#[test]
fn what_has_no_bitcode_is_refused_in_one_sentence() {
    let bench = bench();
    sh(
        &bench,
        "clang-19 -c main.c weigh.c; ar rcs plain.a weigh.o; clang-19 main.o weigh.o -lm -o plain\n\
         $CC main.c weigh.c -lm -o stripped; llvm-strip-19 stripped\n\
         clang-19 --target=aarch64-linux-gnu -c weigh.c -o arm.o\n\
         clang-19 -shared -fPIC weigh.c -o plain.so",
    );
    let advice = "build it with `secateur cc`, as in: CC=\"secateur cc\" make\n";
    let no = |file: &str, what: &str| format!("secateur: cannot load {file}: this {what}; {advice}");
    assert_eq!(refusal(&bench, "plain"), no("plain", "executable has no bitcode"));
    assert_eq!(refusal(&bench, "plain.a"), no("plain.a", "archive has no bitcode"));
    assert_eq!(refusal(&bench, "weigh.o"), no("weigh.o", "object has no bitcode"));
    assert_eq!(refusal(&bench, "plain.so"), no("plain.so", "shared object has no bitcode"));
    let reason = "executable has no bitcode (it was stripped, perhaps of that, too)";
    assert_eq!(refusal(&bench, "stripped"), no("stripped", reason));
    let message = "secateur: cannot load arm.o: it is for AArch64, not for x86-64 Linux; build it for this machine\n";
    assert_eq!(refusal(&bench, "arm.o"), message);
    bench.write("script", "#!/bin/sh\nexec .libs/script\n");
    assert!(refusal(&bench, "script").contains("nor an executable, object or archive of `secateur cc`"));
    fs::create_dir(bench.path(".libs")).unwrap();
    bench.write(".libs/script", "the program");
    let message = "secateur: cannot load script: it is a script of libtool; give the program itself, .libs/script\n";
    assert_eq!(refusal(&bench, "script"), message);
}

#[test]
fn damaged_files_are_refused_in_one_sentence() {
    let bench = bench();
    sh(&bench, "$CC -c weigh.c; $CC main.c weigh.c -lm -o prog; ar rcs lib.a weigh.o");
    for file in ["prog", "weigh.o", "lib.a"] {
        let whole = bench.read(file);
        let at = whole.windows(8).position(|window| window == b"SECATEUR").expect("there is a record");
        let mut damaged = whole.clone();
        damaged[at + 100] ^= 1;
        bench.write(file, &damaged);
        let message = refusal(&bench, file);
        assert!(message.contains("its section .secateur is damaged (") && message.lines().count() == 1, "{message}");
        damaged = whole.clone();
        damaged[at + 8] = 9;
        bench.write(file, &damaged);
        assert!(refusal(&bench, file).contains("another version of Secateur built it (format 9)"));
        for length in [5, 30, 70, whole.len() / 2, whole.len() - 1] {
            bench.write(file, &whole[..length]);
            let message = refusal(&bench, file);
            assert!(message.starts_with("secateur: cannot ") && message.lines().count() == 1, "{message}");
        }
    }
}
