//! What a replayed program sees of its environment, and what it can do to it.

use super::build::{Build, Builds};
use super::deadline::Deadline;
use super::run::{NativeEnd, NativeRun, Runner};
use super::sandbox::Sandbox;
use super::tests::{compile, options};
use crate::out_dir::StoredTest;
use crate::{Expected, TestCase, Trace};
use std::time::{Duration, Instant};

/// Performs the action that its first argument names, on what the second names. Its exit code is 0 on success, else the
/// number of the error.
const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;

static int result(int failed) { return failed ? errno : 0; }

static int count(char **list) {
  int n = 0;
  while (list[n]) n++;
  return n;
}

int main(int argc, char **argv, char **envp) {
  const char *what = argv[1], *target = argc > 2 ? argv[2] : "";
  if (!strcmp(what, "environment")) {
    int open_files = 0;
    for (int i = 0; i < 2000; i++) open_files += fcntl(i, F_GETFD) >= 0;
    for (char **p = environ; *p; p++) puts(*p);
    return environ != envp ? 100 : open_files != 3 ? 101 : count(envp);
  }
  if (!strcmp(what, "remove")) return result(remove(target) != 0);
  if (!strcmp(what, "write")) return result(open(target, O_WRONLY | O_CREAT, 0600) < 0);
  if (!strcmp(what, "truncate")) return result(truncate(target, 0) != 0);
  if (!strcmp(what, "chmod")) return result(chmod(target, 0) != 0);
  if (!strcmp(what, "rename")) return result(rename(target, "here") != 0);
  if (!strcmp(what, "link")) return result(link(target, "here") != 0 || truncate("here", 0) != 0);
  if (!strcmp(what, "read")) return result(open(target, O_RDONLY) < 0);
  if (!strcmp(what, "own")) {
    FILE *file = fopen("own", "w");
    return result(!file || fputs("x", file) < 0 || fclose(file) || mkdir("d", 0700) || rename("own", "d/own") || remove("d/own"));
  }
  if (!strcmp(what, "devices")) return result(open("/dev/null", O_RDWR) < 0 || open("/dev/urandom", O_RDONLY) < 0);
  if (!strcmp(what, "socket")) return result(socket(AF_INET, SOCK_STREAM, 0) < 0);
  if (!strcmp(what, "unix")) return result(socket(AF_UNIX, SOCK_STREAM, 0) < 0);
  if (!strcmp(what, "kill")) return result(kill(atoi(target), SIGKILL) != 0);
  if (!strcmp(what, "killall")) { kill(-1, SIGKILL); return 0; }
  if (!strcmp(what, "group")) { signal(SIGTERM, SIG_IGN); kill(0, SIGTERM); return 0; }
  if (!strcmp(what, "parent")) { kill(getppid(), SIGKILL); return 0; }
  if (!strcmp(what, "ptrace")) return result(ptrace(PTRACE_ATTACH, atoi(target), 0, 0) != 0);
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "bomb")) for (;;) fork();
  if (!strcmp(what, "processes")) {
    int n = 0;
    for (; n < 1000; n++) {
      int child = fork();
      if (child < 0) return n > 10 && n < 600 ? 0 : 1;
      if (child == 0) pause();
    }
    return 2;
  }
  if (!strcmp(what, "large")) {
    char block[65536] = {1};
    for (FILE *file = fopen("large", "w"); fwrite(block, 1, sizeof block, file) > 0;);
    return 0;
  }
  if (!strcmp(what, "daemon")) {
    int ready[2];
    char byte;
    if (pipe(ready)) return 98;
    if (fork() == 0) {
      setsid();
      if (fork() == 0) for (;;) {
        puts("still here");
        fflush(stdout);
        write(ready[1], "", 1);
        usleep(1000);
      }
      _exit(0);
    }
    return read(ready[0], &byte, 1) != 1;
  }
  if (!strcmp(what, "hang")) {
    if (fork() == 0) setsid();
    for (;;) pause();
  }
  return 99;
}
"#;

/// The compiled program, for many runs.
struct Program {
    folder: tempfile::TempDir,
    builds: Builds,
}

impl Program {
    fn new() -> Program {
        let folder = tempfile::tempdir().unwrap();
        let needed = [Build::Address, Build::Memory, Build::Plain].into_iter();
        let builds = Builds::make(folder.path(), &options(), (PROGRAM.as_bytes(), &[]), &compile, needed).unwrap();
        Program { folder, builds }
    }

    fn run(&self, sandbox: Sandbox, what: &str, target: &str) -> NativeRun {
        self.run_test(sandbox, test(what, target), Expected::Exit(0), Duration::from_secs(20))
    }

    fn run_test(&self, sandbox: Sandbox, test: TestCase, end: Expected, time_limit: Duration) -> NativeRun {
        let scratch = tempfile::tempdir_in(self.folder.path()).unwrap();
        // Quotes and colons once confused the options of sanitizers.
        let scratch = scratch.path().join("it's: a \"folder\"");
        std::fs::create_dir(&scratch).unwrap();
        let (program, deadline) = ("prog", Deadline::default());
        let runner =
            Runner { program, branches: 0, blocks: 0, time_limit, deadline, sandbox, scratch: &scratch, given: &[] };
        let stored = StoredTest { name: "000001".into(), test, prediction: Trace::default().ends(end) };
        runner.run(&self.builds, &stored).unwrap()
    }

    /// How many processes run it.
    fn processes(&self) -> usize {
        let of_program = |entry: &std::fs::DirEntry| {
            std::fs::read_link(entry.path().join("exe")).is_ok_and(|path| path.starts_with(self.folder.path()))
        };
        std::fs::read_dir("/proc").unwrap().flatten().filter(of_program).count()
    }
}

fn test(what: &str, target: &str) -> TestCase {
    TestCase { args: vec![what.into(), target.into()], ..TestCase::default() }
}

fn failed(run: &NativeRun) -> bool {
    matches!(run.end, NativeEnd::Exit(libc::EACCES | libc::EPERM | libc::EROFS | libc::EXDEV | libc::ESRCH))
}

fn probe() -> Sandbox {
    Sandbox::probe(tempfile::tempdir().unwrap().path())
}

/// The sandbox of this kernel, and those of kernels with less.
fn sandboxes() -> Vec<Sandbox> {
    let all = probe();
    vec![all, all.without_namespaces(), all.without_landlock()]
}

#[test]
fn the_program_sees_the_environment_of_the_test_and_no_other() {
    let program = Program::new();
    let env = [("HOME", "/home/me"), ("EMPTY", "")].map(|(name, value)| (name.to_string(), value.into()));
    let ends = [Expected::Exit(0), uninitialised(), overflow()];
    for sandbox in sandboxes().into_iter().chain([Sandbox::NONE]) {
        for end in &ends {
            let limit = Duration::from_secs(20);
            let given = TestCase { env: env.to_vec(), ..test("environment", "") };
            let run = program.run_test(sandbox, given, end.clone(), limit);
            assert_eq!(run.end, NativeEnd::Exit(2), "{end:?} {}", String::from_utf8_lossy(&run.stdout));
            let mut lines: Vec<_> = std::str::from_utf8(&run.stdout).unwrap().lines().collect();
            lines.sort();
            assert_eq!(lines, ["EMPTY=", "HOME=/home/me"]);
            let run = program.run_test(sandbox, test("environment", ""), end.clone(), limit);
            assert_eq!(run.end, NativeEnd::Exit(0));
        }
    }
}

fn uninitialised() -> Expected {
    Expected::Bug { kind: "uninitialised".into(), file: "prog.c".into(), line: 1, message: "m".into() }
}

fn overflow() -> Expected {
    Expected::Bug { kind: "stack-overflow".into(), file: "prog.c".into(), line: 1, message: "m".into() }
}

#[test]
fn files_elsewhere_are_read_but_not_changed() {
    let program = Program::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let precious = elsewhere.path().join("precious");
    std::fs::write(&precious, "text").unwrap();
    let name = precious.to_str().unwrap();
    for sandbox in sandboxes() {
        for what in ["remove", "write", "truncate", "chmod", "rename", "link"] {
            let run = program.run(sandbox, what, name);
            assert!(failed(&run), "{what} in {sandbox:?}: {run}");
        }
        let new = elsewhere.path().join("new");
        assert!(failed(&program.run(sandbox, "write", new.to_str().unwrap())));
        for what in ["read", "own", "devices"] {
            let run = program.run(sandbox, what, name);
            assert_eq!(run.end, NativeEnd::Exit(0), "{what} in {sandbox:?}: {run}");
        }
    }
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "text");
    assert_eq!(program.run(Sandbox::NONE, "remove", name).end, NativeEnd::Exit(0));
}

#[test]
fn there_is_no_network() {
    let program = Program::new();
    for sandbox in sandboxes() {
        for what in ["socket", "unix"] {
            assert!(failed(&program.run(sandbox, what, "")), "{what} in {sandbox:?}");
        }
    }
}

#[test]
fn other_processes_are_out_of_reach() {
    let program = Program::new();
    let mut victim = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let number = victim.id().to_string();
    for sandbox in sandboxes() {
        for what in ["kill", "ptrace"] {
            let run = program.run(sandbox, what, &number);
            assert!(failed(&run), "{what} in {sandbox:?}: {run}");
        }
        for what in ["parent", "group"] {
            program.run(sandbox, what, "");
        }
        assert_eq!(program.run(sandbox, "abort", "").end, NativeEnd::Signal(libc::SIGABRT));
        assert!(victim.try_wait().unwrap().is_none());
    }
    let all = probe();
    if all.missing().is_empty() {
        program.run(all, "killall", "");
        assert!(victim.try_wait().unwrap().is_none());
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
}

#[test]
fn no_process_of_a_run_survives_it() {
    let program = Program::new();
    for sandbox in sandboxes().into_iter().chain([Sandbox::NONE]) {
        let started = Instant::now();
        let run = program.run(sandbox, "daemon", "");
        assert_eq!(run.end, NativeEnd::Exit(0), "{run}");
        assert!(run.stdout.starts_with(b"still here\n"));
        assert_eq!(program.processes(), 0, "{sandbox:?}");
        let limit = Duration::from_millis(300);
        let run = program.run_test(sandbox, test("hang", ""), Expected::Exit(0), limit);
        assert_eq!(run.end, NativeEnd::TimeOut);
        assert_eq!(program.processes(), 0, "{sandbox:?}");
        // Far longer than it takes, but bounded.
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn processes_and_files_are_limited() {
    let program = Program::new();
    let all = probe();
    for sandbox in sandboxes() {
        let run = program.run(sandbox, "large", "");
        assert_eq!(run.end, NativeEnd::Signal(libc::SIGXFSZ), "{run}");
    }
    if all.missing().is_empty() {
        let run = program.run(all, "processes", "");
        assert_eq!(run.end, NativeEnd::Exit(0), "{run}");
        let run = program.run_test(all, test("bomb", ""), Expected::Exit(0), Duration::from_secs(1));
        assert_eq!(run.end, NativeEnd::TimeOut);
        assert_eq!(program.processes(), 0);
    }
}

#[test]
fn missing_mechanisms_are_reported() {
    assert_eq!(Sandbox::NONE.missing(), Vec::<&str>::new());
    let all = probe();
    assert!(all.without_namespaces().missing().iter().any(|text| text.contains("start processes")));
}
