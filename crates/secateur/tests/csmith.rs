//! Random programs from csmith, which compute a checksum of their variables, run natively and in the machine: output
//! and exit code must be the same. With some variables symbolic, every test must replay as predicted.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use support::expect_exit;
use workbench::Workbench;

/// How many programs must agree, unless `CSMITH_PROGRAMS` says otherwise.
const PROGRAMS: usize = 200;

/// How many programs with symbolic variables must, unless `CSMITH_SYMBOLIC` says otherwise.
const SYMBOLIC: usize = 20;

/// How many variables of such a program are symbolic, at most.
const SYMBOLIC_VARIABLES: usize = 3;

/// Seeds of Debian's csmith 2.3.0 whose programs do not terminate. Others are skipped when they turn out not to
/// terminate, so this list only saves time.
const WITHOUT_END: &[u32] =
    &[4, 26, 30, 36, 50, 55, 59, 64, 67, 81, 88, 92, 106, 137, 141, 163, 165, 173, 178, 196, 204, 214, 216];

/// How long a program may run natively. Those that end do so within milliseconds.
const NATIVE_LIMIT: Duration = Duration::from_secs(2);

/// More instructions than a program executes natively in that time.
const MANY_INSTRUCTIONS: &str = "20000000000";

/// Options for programs that compile and run quickly. All other features of csmith stay on: bit-fields, packed structs,
/// unions, pointers to pointers, volatile variables, jumps.
const OPTIONS: &[&str] = &[
    "--concise",
    "--no-argc",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "6",
    "--max-struct-fields",
    "5",
    "--max-expr-complexity",
    "6",
];

/// Debian's folder of the headers that the programs include.
const HEADERS: &str = "/usr/include/csmith";

#[test]
fn random_programs_do_what_they_do_natively() {
    check_all(number("CSMITH_PROGRAMS", PROGRAMS), compare);
}

#[test]
fn random_programs_with_symbolic_variables_replay() {
    check_all(number("CSMITH_SYMBOLIC", SYMBOLIC), replay);
}

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Checks the programs of as many seeds as it takes.
fn check_all(programs: usize, check: fn(u32) -> Result<Agreement, String>) {
    let work = Mutex::new(Work { programs, ..Work::default() });
    let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(seed) = lock(&work).next() else { break };
                    let outcome = check(seed);
                    lock(&work).outcomes.insert(seed, outcome);
                }
            });
        }
    });
    let outcomes = work.into_inner().unwrap().outcomes;
    let wrong: Vec<String> = outcomes
        .iter()
        .filter_map(|(seed, outcome)| Some(format!("seed {seed}: {}", outcome.as_ref().err()?)))
        .collect();
    assert!(wrong.is_empty(), "{} programs differ:\n{}", wrong.len(), wrong.join("\n"));
    let same = outcomes.values().filter(|outcome| **outcome == Ok(Agreement::Same)).count();
    assert!(same >= programs, "only {same} programs end natively");
}

/// What became of a program.
#[derive(PartialEq, Eq, Debug)]
enum Agreement {
    Same,
    /// It does not end natively, so there is nothing to compare.
    WithoutEnd,
}

/// The seeds, and what became of those that were taken.
#[derive(Default)]
struct Work {
    programs: usize,
    taken: u32,
    outcomes: BTreeMap<u32, Result<Agreement, String>>,
}

impl Work {
    /// The next seed, until enough are taken. One whose program does not terminate is replaced by another.
    fn next(&mut self) -> Option<u32> {
        let without_end = self.outcomes.values().filter(|outcome| **outcome == Ok(Agreement::WithoutEnd)).count();
        let listed = WITHOUT_END.iter().filter(|seed| **seed <= self.taken).count();
        let counting = self.taken as usize - listed - without_end;
        if counting >= self.programs || self.taken as usize > 2 * self.programs + 50 {
            return None;
        }
        self.taken = (self.taken + 1..).find(|seed| !WITHOUT_END.contains(seed))?;
        Some(self.taken)
    }
}

fn lock(work: &Mutex<Work>) -> std::sync::MutexGuard<'_, Work> {
    work.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Makes the program of a seed.
fn generate(bench: &Workbench, seed: u32) -> Result<(), String> {
    let mut csmith = Command::new("csmith");
    // csmith leaves a file in its working directory.
    csmith.current_dir(bench.path("."));
    csmith.args(["--seed", &seed.to_string(), "--output"]).arg(bench.path("random.c")).args(OPTIONS);
    expect_exit(&mut csmith, &[0]).map(|_| ())
}

/// The level that a seed decides.
fn level(seed: u32) -> &'static str {
    ["-O0", "-O1", "-O2"][seed as usize % 3]
}

/// Explores the program of a seed with some of its variables symbolic, and replays what was found.
fn replay(seed: u32) -> Result<Agreement, String> {
    let bench = Workbench::new();
    generate(&bench, seed)?;
    let text = std::fs::read_to_string(bench.path("random.c")).map_err(|error| error.to_string())?;
    let variables: Vec<&str> = text.lines().filter_map(plain_variable).take(SYMBOLIC_VARIABLES).collect();
    let Some(main) = text.find("int main (void)\n{\n").filter(|_| !variables.is_empty()) else {
        return Ok(Agreement::WithoutEnd);
    };
    let (before, behind) = text.split_at(main + "int main (void)\n{\n".len());
    let made: String =
        variables.iter().map(|name| format!("    klee_make_symbolic(&{name}, sizeof {name}, \"{name}\");\n")).collect();
    bench.write("random.c", format!("#include <klee/klee.h>\n{before}{made}{behind}"));
    let args = ["run", "random.c", level(seed), "-I", HEADERS, "--cflag=-w", "--quiet", "--all-tests", "--recheck"];
    let limits = ["--max-paths", "30", "--max-instructions", "3000000", "--jobs", "1", "--no-confirm"];
    let done = bench.secateur(&[&args[..], &limits[..]].concat());
    if !matches!(done.code, Some(0 | 10)) {
        return Err(done.to_string());
    }
    let replayed = bench.secateur(&["replay", "--quiet"]);
    if replayed.code == Some(0) { Ok(Agreement::Same) } else { Err(format!("{}: {replayed}", level(seed))) }
}

/// The name of an integer variable that a line defines: `static int32_t g_2 = 1L;`.
fn plain_variable(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("static ")?.split_whitespace();
    let ty = words.find(|word| *word != "volatile")?;
    let name = words.next()?;
    let plain = (ty.starts_with("int") || ty.starts_with("uint")) && ty.ends_with("_t");
    (plain && name.starts_with("g_") && words.next() == Some("=") && !name.contains('[')).then_some(name)
}

/// Runs the program of a seed at the level that the seed decides.
fn compare(seed: u32) -> Result<Agreement, String> {
    let bench = Workbench::new();
    let level = level(seed);
    generate(&bench, seed)?;
    compile(&bench, level)?;
    let Some((code, wanted)) = run_natively(&bench)? else { return Ok(Agreement::WithoutEnd) };

    let args = ["run", "random.c", level, "-I", HEADERS, "--cflag=-w", "--quiet", "--all-tests", "--show-output"];
    let mut done = bench.secateur(&args);
    if done.code == Some(0) && !ended(&bench)["limit"].is_null() {
        // One in thousands ends natively in time and is too much for the default limit.
        done = bench.secateur(&[&args[..], &["--max-instructions", MANY_INSTRUCTIONS]].concat());
    }
    if done.code == Some(10) {
        // The compiler may assume that a loop without side effects terminates. If it does not, the behaviour of the
        // optimised program is undefined, which Secateur reports.
        compile(&bench, "-O0")?;
        if run_natively(&bench)?.is_none() {
            return Ok(Agreement::WithoutEnd);
        }
    }
    if done.code != Some(0) {
        return Err(done.to_string());
    }
    let end = ended(&bench);
    if end["exit"].as_i64() != code.map(i64::from) {
        return Err(format!("{level}: it ends with {end}, natively with {code:?}"));
    }
    let printed: String =
        done.stdout.lines().map(|line| line.strip_prefix("[1] ").unwrap_or(line).to_string() + "\n").collect();
    if printed != wanted {
        return Err(format!("{level}: it prints\n{printed}natively\n{wanted}"));
    }
    Ok(Agreement::Same)
}

/// How the only path ended.
fn ended(bench: &Workbench) -> serde_json::Value {
    bench.json("secateur-out/tests/expected.jsonl")["end"].clone()
}

fn compile(bench: &Workbench, level: &str) -> Result<(), String> {
    let mut compiler = Command::new("clang-19");
    compiler.args(["-w", level, "-I", HEADERS, "-o"]).arg(bench.path("native")).arg(bench.path("random.c"));
    expect_exit(&mut compiler, &[0]).map(|_| ())
}

/// The exit code and the output; `None` if it does not end in time.
fn run_natively(bench: &Workbench) -> Result<Option<(Option<i32>, String)>, String> {
    let mut command = Command::new(bench.path("native"));
    // The checksum fits into the pipe, so it need not be read before the program ends.
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let deadline = Instant::now() + NATIVE_LIMIT;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if Instant::now() > deadline {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    Ok(Some((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())))
}
